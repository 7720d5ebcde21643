import { Facts } from '../../../kit/fold.tsx'
import { Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { to } from '../../paths.ts'
import { History } from './history.tsx'
import { TopUp } from './top-up.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** What there is to pay with, how to add to it, and where it went. */
export default function Balance() {
  const profile = useResource('profile', () => api.getProfile(), { keep: true })
  return (
    <>
      <h1>{say('title')}</h1>
      <Shown of={profile} lines={1}>
        {({ balance, referral_balance }) => (
          <Card>
            <Facts
              rows={[
                [say('onBalance'), <b key="balance">{money(balance)}</b>],
                [say('earned'), money(referral_balance)],
              ]}
            />
            <a href={to('/friends')}>{say('toFriends')}</a>
          </Card>
        )}
      </Shown>
      <TopUp />
      <History />
    </>
  )
}
