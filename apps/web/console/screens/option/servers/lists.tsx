import { Badge } from '../../../../kit/look.tsx'
import { Ordered } from '../../../../kit/order/ordered.tsx'
import { sayIn } from '../../../../lib/language.ts'
import type { useServers } from '../../../kit/catalogue/servers.ts'
import { ServerBadge } from '../../../kit/server-state.tsx'
import { to } from '../../../paths.ts'
import { words } from '../words.en.ts'
import { indexesOf, type Placed, type Wish } from './wish.ts'

const say = sayIn(words)

type Servers = ReturnType<typeof useServers>

interface ServerLineProps {
  readonly id: number
  readonly index: number
  readonly servers: Servers
}

const ServerLine = ({ id, index, servers: { find, nameOf } }: ServerLineProps) => {
  const server = find(id)
  return (
    <>
      <b>{nameOf(id)}</b>
      <p class="small">
        {[say('index', { n: `${index}` }), server?.domain].filter(Boolean).join(' · ')}{' '}
        {server && server.state !== 'selling' && <ServerBadge state={server.state} />}{' '}
        {server?.is_online === false && <Badge tone="bad">{say('away')}</Badge>}
      </p>
    </>
  )
}

interface ListProps {
  readonly placed: readonly Placed[]
  readonly wish: Wish
  readonly change: (wish: Wish) => void
  readonly servers: Servers
  readonly mayChange: boolean
}

/** Those it has, by index. One that is taken out stays in sight until that is saved. */
export const Kept = ({ placed, wish, change, servers, mayChange }: ListProps) => (
  <ol class="list order">
    {placed.map(({ server_id: id, index }) => {
      const isLeaving = wish.leaving.includes(id)
      const name = servers.nameOf(id)
      const turn = () =>
        change({
          ...wish,
          leaving: isLeaving ? wish.leaving.filter((one) => one !== id) : [...wish.leaving, id],
        })
      return (
        <li key={id} class={isLeaving ? 'leaving' : undefined}>
          <div class="what">
            <ServerLine id={id} index={index} servers={servers} />
          </div>
          <div class="keys">
            <a class="button" href={to('/console/servers/:id', { id })} aria-label={say('openOf', { name })}>
              {say('open')}
            </a>
            {mayChange && (
              <button
                type="button"
                aria-label={say(isLeaving ? 'keepOf' : 'takeOutOf', { name })}
                onClick={turn}
              >
                {say(isLeaving ? 'keep' : 'takeOut')}
              </button>
            )}
          </div>
        </li>
      )
    })}
  </ol>
)

/** Those that are to come, in the order in which they take the free indexes. */
export const Joining = ({ placed, wish, change, servers }: Omit<ListProps, 'mayChange'>) => {
  const indexes = indexesOf(placed, wish)
  return (
    <Ordered
      entries={wish.joining}
      keyOf={(id) => id}
      nameOf={servers.nameOf}
      change={(joining) => change({ ...wish, joining })}
      least={0}
    >
      {(id) => <ServerLine id={id} index={indexes[wish.joining.indexOf(id)] ?? 0} servers={servers} />}
    </Ordered>
  )
}
