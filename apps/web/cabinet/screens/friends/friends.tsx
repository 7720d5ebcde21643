import { useSignal } from '@preact/signals'
import { Dialog } from '../../../kit/dialog.tsx'
import { Facts } from '../../../kit/fold.tsx'
import { later } from '../../../kit/later.tsx'
import { Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { api } from '../../../lib/api.ts'
import { date, money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { type Resource, useResource } from '../../../lib/resource.ts'
import { together } from '../../../lib/together.ts'
import { to } from '../../paths.ts'
import { History, pageSize } from './history.tsx'
import { Invite } from './invite.tsx'
import { endsOf } from './records.ts'
import { words } from './words.en.ts'

const say = sayIn(words)
const Withdraw = later(() => import('./withdraw.tsx').then((part) => part.Withdraw))
const least = 1000

type Records = Awaited<ReturnType<typeof api.listReferralRecords>>

const heldText = (held: number, records: Records): string => {
  const ends = endsOf(records)?.map(date)
  const [first, last] = ends ?? []
  if (held === 0 || first === undefined) return money(held)
  return say(first === last ? 'heldUntil' : 'heldNext', { sum: money(held), date: first })
}

const waitingIn = (records: Records): number =>
  records.reduce((sum, { status, amount }) => sum + (status === 'pending' ? amount : 0), 0)

interface EarningsProps {
  readonly available: number
  readonly held: number
  readonly records: Records
  readonly onChange: () => void
}

const Earnings = ({ available, held, records, onChange }: EarningsProps) => {
  const isOpen = useSignal(false)
  const isTooLittle = available < least
  const waiting = waitingIn(records)
  const onDone = () => {
    isOpen.value = false
    tell(say('asked'))
    onChange()
  }
  return (
    <Card title={say('earned')}>
      <Facts
        rows={[
          [say('available'), <b key="available">{money(available)}</b>],
          [say('held'), heldText(held, records)],
          ...(waiting > 0 ? [[say('waiting'), money(waiting)] as const] : []),
        ]}
      />
      <div class="acts">
        <button
          type="button"
          class="p"
          disabled={isTooLittle}
          aria-describedby={isTooLittle ? 'too-little' : undefined}
          onClick={() => {
            isOpen.value = true
          }}
        >
          {say('withdraw')}
        </button>
        <a class="button" href={to('/shop')}>
          {say('spend')}
        </a>
      </div>
      {isTooLittle && (
        <p id="too-little">{say('tooLittle', { least: money(least), missing: money(least - available) })}</p>
      )}
      <p class="small">{say('spendHint')}</p>
      <Dialog isOpen={isOpen} title={say('withdrawTitle')}>
        <Withdraw available={available} onDone={onDone} />
      </Dialog>
    </Card>
  )
}

/** Whom to invite and how, and what it brought. */
export default function Friends() {
  const profile = useResource('profile', () => api.getProfile(), { keep: true })
  const terms = useResource('referral-terms', () => api.showReferralTerms())
  const records: Resource<Records> = useResource('referral', () =>
    api.listReferralRecords({ query: { limit: pageSize } }),
  )
  const brought = together(terms, records)
  const share = terms.data.value
  const known = profile.data.value
  const reload = () => void together(profile, brought).reload()
  return (
    <>
      <h1>{say('title')}</h1>
      <p>
        {share ? say('how', { percent: share.percent }) : say('howSome')}{' '}
        {share && share.hold_days > 0 ? say('howHeld', { n: share.hold_days }) : say('howSpent')}
      </p>
      <Shown of={profile}>
        {({ referral_code, referrals_count }) => <Invite code={referral_code} invited={referrals_count} />}
      </Shown>
      {known && (
        <Shown of={brought}>
          {([{ held }, list]) => (
            <>
              <Earnings available={known.referral_balance} held={held} records={list} onChange={reload} />
              <History records={list} />
            </>
          )}
        </Shown>
      )}
    </>
  )
}
