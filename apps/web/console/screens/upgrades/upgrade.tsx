import { Facts } from '../../../kit/fold.tsx'
import { Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { dateTime, number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { usePolling } from '../../../lib/polling.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { Acts } from './acts.tsx'
import { NodesOf, Waves } from './progress.tsx'
import { Reason } from './reason.tsx'
import { goalOf, isMoving, UpgradeBadge } from './state.tsx'
import type { UpgradeRow } from './upgrade-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** As it was begun. */
const terms = ({ pause_seconds, most_ill, automatic, back_of }: UpgradeRow): string =>
  back_of !== null
    ? say('backTerms')
    : [
        say('pauseOf', { n: number(Math.round(pause_seconds / 6) / 10) }),
        most_ill === 0 ? say('noneIll') : say('mostIllOf', { n: most_ill }),
        say(automatic ? 'byItself' : 'byPerson'),
      ].join(' ')

const About = ({ upgrade }: { readonly upgrade: UpgradeRow }) => (
  <Facts
    rows={[
      [say('goal'), goalOf(upgrade)],
      [say('began'), dateTime(upgrade.created_at)],
      ...(upgrade.next_wave_at !== null && upgrade.state === 'running'
        ? [[say('nextWave'), dateTime(upgrade.next_wave_at)] as const]
        : []),
      ...(upgrade.ended_at === null ? [] : [[say('ended'), dateTime(upgrade.ended_at)] as const]),
      [say('terms'), terms(upgrade)],
    ]}
  />
)

interface CardProps {
  readonly id: number
  readonly isNewest: boolean
  /** Of what was done, the list tells as well. */
  readonly changed: (upgrade: UpgradeRow) => Promise<void>
}

/** How far it has come, wave by wave and node by node. */
export const UpgradeCard = ({ id, isNewest, changed }: CardProps) => {
  const upgrade = useResource(`upgrade/${id}`, () => api.showAgentUpgrade({ params: { id } }))
  const data = upgrade.data.value
  usePolling(upgrade.reload, 3, data !== undefined && !isMoving(data))
  const show = async (row: UpgradeRow) => {
    if (row.id === id) upgrade.set(row)
    await changed(row)
  }
  return (
    <Shown of={upgrade} lines={4}>
      {(row) => (
        <Card title={say('one', { id: `${id}` })} side={<UpgradeBadge state={row.state} />}>
          {row.stop_reason !== null && (
            <p class="notice" role="status">
              {say('stoppedItself')} <Reason text={row.stop_reason} />
            </p>
          )}
          {row.state === 'waiting' && <p class="notice">{say('waitsForYou')}</p>}
          <div class="columns">
            <About upgrade={row} />
            <Waves upgrade={row} />
          </div>
          <Acts upgrade={row} isNewest={isNewest} show={show} />
          <NodesOf upgrade={row} />
        </Card>
      )}
    </Shown>
  )
}
