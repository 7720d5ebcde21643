import { useSignal } from '@preact/signals'
import { JsonEditor } from '../../../kit/json-editor.tsx'
import { Card } from '../../../kit/look.tsx'
import { sayIn } from '../../../lib/language.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import type { Values } from '../../kit/forms/fields.tsx'
import { Raw } from '../../kit/raw.tsx'
import { EditText } from './edit-text.tsx'
import type { SettingsProps } from './settings-of.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const textOf = ({ happ_routing: routing }: Values): string =>
  routing === null || routing === undefined ? '' : JSON.stringify(routing, null, 2)

const Shown = ({ text }: { readonly text: string }) =>
  text === '' ? <p>{say('routingNone')}</p> : <Raw label={say('routing')} text={text} />

/** Which sites go past the tunnel in Happ: a profile that the app adds by itself. */
export const Routing = ({ settings, of }: SettingsProps) => {
  // The editor keeps its own text, which begins anew with another count.
  const count = useSignal(0)
  const text = textOf(settings)
  const send = async (written: string, version: number) => {
    const happ_routing = written.trim() === '' ? null : JSON.parse(written)
    of.set(await api.changeDeliverySettings({ body: { happ_routing, version } }))
  }
  const takeTheirs = async () => {
    await of.reload()
    count.value++
  }
  return (
    <Card title={say('routing')}>
      <p class="small">{say('routingAbout')}</p>
      {may('changeDeliverySettings') ? (
        <EditText
          key={count.value}
          name="happ_routing"
          text={text}
          version={settings.version}
          textOf={textOf}
          send={send}
          takeTheirs={takeTheirs}
        >
          <JsonEditor
            name="happ_routing"
            label={say('routingLabel')}
            hint={say('routingHint')}
            value={text}
            isOptional
          />
        </EditText>
      ) : (
        <Shown text={text} />
      )}
    </Card>
  )
}
