import { Facts } from '../../../kit/fold.tsx'
import { Card } from '../../../kit/look.tsx'
import { sayIn } from '../../../lib/language.ts'
import { SallyportError } from '../../../lib/send.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Edit } from '../../kit/forms/edit.tsx'
import type { FieldOf, Values } from '../../kit/forms/fields.tsx'
import { sentUnlessChanged } from '../../kit/forms/versions.ts'
import type { Settings, SettingsProps } from './settings-of.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Body = NonNullable<Parameters<typeof api.changeCabinetSettings>[0]>['body']

const fields: readonly FieldOf[] = [
  { name: 'welcome_ru', label: say('welcomeRu'), hint: say('welcomeHint'), kind: 'long', isNullable: true },
  { name: 'welcome_en', label: say('welcomeEn'), kind: 'long', isNullable: true },
  { name: 'rules_ru', label: say('rulesRu'), hint: say('rulesHint'), kind: 'long', isNullable: true },
  { name: 'rules_en', label: say('rulesEn'), kind: 'long', isNullable: true },
  { name: 'mirrors', label: say('mirrors'), hint: say('mirrorsHint'), kind: 'long' },
  { name: 'closes_connections', label: say('closes'), hint: say('closesHint'), kind: 'check' },
]
const names = fields.map(({ name }) => name)

/** Addresses one a line. */
const formOf = (settings: Settings) => ({ ...settings, mirrors: settings.mirrors.join('\n') })

const linesOf = (text: unknown): string[] =>
  String(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const bodyOf = ({ mirrors, ...others }: Values): Body => ({
  ...others,
  ...(mirrors !== undefined && { mirrors: linesOf(mirrors) }),
})

/** Of several addresses the one that is meant is named. */
const withAddresses = (error: unknown, mirrors: readonly string[]): unknown => {
  if (!(error instanceof SallyportError)) return error
  const { message, statusCode, errorCode, retryAfterSeconds } = error
  const details = error.details.map(({ path, problem }) => {
    const mirror = mirrors[Number(/^mirrors\.(\d+)$/.exec(path)?.[1])]
    return { path, problem: mirror === undefined ? problem : `${mirror} ${problem}` }
  })
  return new SallyportError(
    { message, statusCode, errorCode, details, ...(error.data !== undefined && { data: error.data }) },
    retryAfterSeconds,
  )
}

const told = (value: unknown): string => {
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no')
  return value === null || value === '' ? '–' : String(value)
}

/** What the cabinet says, and where else it is found. */
export const TextsCard = ({ settings, of }: SettingsProps) => {
  const row = formOf(settings)
  const send = async ({ version: seen, ...changes }: Values & { readonly version: number }) => {
    const body = bodyOf(changes)
    try {
      const saved = await sentUnlessChanged(settings, names, seen, (version) =>
        api.changeCabinetSettings({ body: { ...body, version } }),
      )
      of.set(saved)
      return formOf(saved)
    } catch (error) {
      throw withAddresses(error, body?.mirrors ?? [])
    }
  }
  return (
    <Card title={say('texts')}>
      {may('changeCabinetSettings') ? (
        <Edit row={row} fields={fields} send={send} onSaved={() => void of.reload()} />
      ) : (
        <Facts rows={fields.map(({ name, label }) => [label, told((row as Values)[name])])} />
      )}
    </Card>
  )
}
