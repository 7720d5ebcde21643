import { useSignal } from '@preact/signals'
import { isOld } from '@sallyport/domain/vpn/node-kinds'
import { Dialog } from '../../../kit/dialog.tsx'
import { Fold } from '../../../kit/fold.tsx'
import { Form } from '../../../kit/form.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { type FieldOf, Fields } from '../../kit/forms/fields.tsx'
import { Ticks } from '../../kit/forms/ticks.tsx'
import { to } from '../../paths.ts'
import type { UpgradeRow } from './upgrade-props.ts'
import { readWish } from './wish.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const fields: readonly FieldOf[] = [
  { name: 'waves', label: say('shares'), hint: say('sharesHint'), isRequired: true },
  { name: 'pause_seconds', label: say('pause'), hint: say('pauseHint'), kind: 'number', isRequired: true },
  { name: 'most_ill', label: say('mostIll'), hint: say('mostIllHint'), kind: 'number', isRequired: true },
  { name: 'automatic', label: say('automatic'), hint: say('automaticHint'), kind: 'check' },
]
const usual = { waves: '1, 5, 25, 100', pause_seconds: 5, most_ill: 0, automatic: true }

type Node = Awaited<ReturnType<typeof api.listNodes>>[number]

/** Who it will reach, and who needs a person at the machine. */
const Reach = ({ nodes }: { readonly nodes: readonly Node[] }) => {
  const behind = nodes.filter((node) => isOld(node) && node.can_upgrade)
  const byHand = nodes.filter((node) => node.last_seen_at !== null && !node.can_upgrade)
  const newest = nodes.find(({ newest_release }) => newest_release !== null)?.newest_release
  return (
    <>
      <p>
        {newest === undefined || newest === null
          ? say('noRelease')
          : say('willReach', { release: newest.slice(0, 8), n: behind.length })}
      </p>
      {byHand.length > 0 && (
        <Fold title={say('byHand', { n: byHand.length })}>
          <ul>
            {byHand.slice(0, 50).map(({ id, name }) => (
              <li key={id}>
                <a href={to('/console/nodes/:id', { id })}>{name}</a>
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </>
  )
}

/** Those that go first, for whoever has machines to try things on. */
const First = ({ nodes }: { readonly nodes: readonly Node[] }) => (
  <Fold title={say('first')}>
    <Ticks
      name="first"
      legend={say('firstOnes')}
      hint={say('firstHint')}
      options={nodes
        .filter(({ can_upgrade, is_online }) => can_upgrade && is_online)
        .map(({ id, name }) => ({ value: id, title: name }))}
    />
  </Fold>
)

interface BeginProps {
  readonly begun: (upgrade: UpgradeRow) => Promise<void>
}

const BeginForm = ({ begun }: BeginProps) => {
  const nodes = useResource('nodes', () => api.listNodes({}))
  const send = async (filled: Readonly<Record<string, string>>) => {
    const body = readWish(filled)
    const made = await once('createAgentUpgrade', body, (idempotencyKey) =>
      api.createAgentUpgrade({ body, idempotencyKey }),
    )
    tell(say('begun'))
    await begun(made)
  }
  return (
    <Shown of={nodes}>
      {(rows) => (
        <>
          <Reach nodes={rows} />
          <p class="small">{say('beginText')}</p>
          <Form send={send} submit={say('beginNow')}>
            <First nodes={rows} />
            <Fields fields={fields} values={usual} />
          </Form>
        </>
      )}
    </Shown>
  )
}

export const Begin = ({ begun }: BeginProps) => {
  const isOpen = useSignal(false)
  return (
    <>
      <button type="button" class="p" onClick={() => (isOpen.value = true)}>
        {say('begin')}
      </button>
      <Dialog isOpen={isOpen} title={say('begin')}>
        <BeginForm
          begun={async (made) => {
            isOpen.value = false
            await begun(made)
          }}
        />
      </Dialog>
    </>
  )
}
