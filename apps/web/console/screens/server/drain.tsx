import { Act } from '../../../kit/act.tsx'
import { Fold } from '../../../kit/fold.tsx'
import { Badge, Bar, Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { usePolling } from '../../../lib/polling.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import type { Drain } from './drain-props.ts'
import { StartDrain } from './drain-start.tsx'
import type { ServerProps } from './server-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const tones = { running: 'warn', waiting: 'warn', done: 'good', stopped: 'dim' } as const

const isGoing = ({ state }: Drain): boolean => state === 'running' || state === 'waiting'

/** One that was never emptied reads as one where that was stopped, with nothing moved. */
const isBegun = ({ state, moved }: Drain): boolean => state !== 'stopped' || moved > 0

const Progress = ({ drain }: { readonly drain: Drain }) => (
  <div role="status">
    <Badge tone={tones[drain.state]}>{say(`drain_${drain.state}`)}</Badge>
    <Bar
      part={drain.total === 0 ? 1 : drain.moved / drain.total}
      label={say('moved', {
        moved: number(drain.moved),
        total: number(drain.total),
        left: number(drain.left),
      })}
      tone={drain.failed_total > 0 ? 'warn' : 'good'}
    />
    {drain.state === 'waiting' && <p class="small">{say('waitingText')}</p>}
  </div>
)

const Failures = ({ drain }: { readonly drain: Drain }) => (
  <Fold title={say('failed', { n: drain.failed_total })}>
    <p class="small">{say('failedText')}</p>
    <ul class="list">
      {drain.failed.map(({ item, reason }) => (
        <li key={item}>
          <span>{say('item', { id: `${item}` })}</span>
          <span lang="en">{reason}</span>
        </li>
      ))}
    </ul>
    {drain.failed_total > drain.failed.length && (
      <p class="small">{say('moreFailed', { n: drain.failed_total - drain.failed.length })}</p>
    )}
  </Fold>
)

/** Everything on it goes elsewhere while everybody goes on. */
export const DrainCard = ({ server, of }: ServerProps) => {
  const { id, state } = server
  const drains = useResource(`drain/${id}`, () => api.showDrain({ params: { id } }))
  const drain = drains.data.value
  const isOver = drain === undefined || !isGoing(drain)
  const reload = drains.reload
  usePolling(reload, 4, isOver)
  // The server is closed by what empties it.
  usePolling(of.reload, 4, isOver && state !== 'draining')
  const show = async (row: Drain) => {
    drains.set(row)
    await of.reload()
  }
  const stop = async () => {
    await show(await api.stopDrain({ params: { id } }))
    tell(say('stopped'))
  }
  return (
    <Card title={say('draining')}>
      <Shown of={drains} lines={1}>
        {(row) => (
          <>
            {isBegun(row) ? <Progress drain={row} /> : <p class="small">{say('neverDrained')}</p>}
            {row.failed_total > 0 && <Failures drain={row} />}
            {row.state === 'done' && <p class="small">{say('doneText')}</p>}
            {isGoing(row) && may('stopDrain') && (
              <>
                <div class="acts">
                  <Act run={stop}>{say('stop')}</Act>
                </div>
                <p class="small">{say('stopText')}</p>
              </>
            )}
            {!isGoing(row) && may('startDrain') && (row.state !== 'done' || server.used_slots > 0) && (
              <div class="acts">
                <StartDrain server={server} begun={show} />
              </div>
            )}
          </>
        )}
      </Shown>
    </Card>
  )
}
