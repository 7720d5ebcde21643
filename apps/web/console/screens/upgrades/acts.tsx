import { Act } from '../../../kit/act.tsx'
import { Confirmed } from '../../../kit/dialog.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Make } from '../../kit/forms/make.tsx'
import type { UpgradeRow } from './upgrade-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface ActsProps {
  readonly upgrade: UpgradeRow
  /** Only what nothing came after goes on, or is taken back. */
  readonly isNewest: boolean
  readonly show: (upgrade: UpgradeRow) => Promise<void>
}

const GoOn = ({ upgrade, show }: ActsProps) => {
  const { id, state, wave, waves } = upgrade
  const next = waves.find((one) => one.wave > wave)
  const ill = waves.find((one) => one.wave === wave)?.ill ?? 0
  const run = async () => {
    await show(
      await once('continueAgentUpgrade', { id, wave, state }, (idempotencyKey) =>
        api.continueAgentUpgrade({ params: { id }, idempotencyKey }),
      ),
    )
    tell(say('goesOn'))
  }
  return (
    <Make title={say('goOn')} submit={say('goOnNow')} fields={[]} send={run} kind="p">
      <p>
        {state === 'waiting' && next
          ? say('goOnWave', { id: `${next.wave}`, n: next.nodes })
          : say('goOnStopped', { id: `${wave}` })}
      </p>
      {ill > 0 && <p>{say('illStay', { n: ill })}</p>}
    </Make>
  )
}

const Stop = ({ upgrade: { id, wave }, show }: ActsProps) => (
  <Act
    run={async () => {
      await show(
        await once('stopAgentUpgrade', { id, wave }, (idempotencyKey) =>
          api.stopAgentUpgrade({ params: { id }, idempotencyKey }),
        ),
      )
      tell(say('stopped'))
    }}
  >
    {say('stop')}
  </Act>
)

const TakeBack = ({ upgrade, show }: ActsProps) => {
  const { id, nodes, state } = upgrade
  const count = nodes.filter(
    ({ told_at, release_before }) => told_at !== null && release_before !== null,
  ).length
  if (count === 0) return null
  const run = async () => {
    await show(
      await once('takeAgentUpgradeBack', { id }, (idempotencyKey) =>
        api.takeAgentUpgradeBack({ params: { id }, idempotencyKey }),
      ),
    )
    tell(say('goesBack'))
  }
  return (
    <Confirmed title={say('backTitle', { n: count })} yes={say('back')} run={run}>
      <p>{say('backText')}</p>
      {state !== 'done' && <p>{say('backStops')}</p>}
    </Confirmed>
  )
}

export const Acts = (props: ActsProps) => {
  const { state } = props.upgrade
  const isUnderWay = state === 'running' || state === 'waiting'
  const isLeft = state === 'waiting' || state === 'stopped'
  return (
    <>
      <div class="acts">
        {may('stopAgentUpgrade') && isUnderWay && <Stop {...props} />}
        {may('continueAgentUpgrade') && props.isNewest && isLeft && <GoOn {...props} />}
        {may('takeAgentUpgradeBack') && props.isNewest && <TakeBack {...props} />}
      </div>
      {may('stopAgentUpgrade') && isUnderWay && <p class="small">{say('stopText')}</p>}
    </>
  )
}
