import { useSignal } from '@preact/signals'
import { Act } from '../../kit/act.tsx'
import { api } from '../../lib/api.ts'
import { sayIn } from '../../lib/language.ts'
import { settled, type Unsettled, unsettled } from '../../lib/once.ts'
import { now } from '../../lib/page.ts'
import { to } from '../paths.ts'
import { canForget, lostPurchases, paymentOf } from './lost.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const recent = () => api.listPayments({ query: { limit: 10 } })

/** A purchase that was sent and never answered. */
const Lost = ({ purchase, onDone }: { readonly purchase: Unsettled; readonly onDone: () => void }) => {
  const found = useSignal<number | null | undefined>(undefined)
  const check = async () => {
    found.value = paymentOf(purchase, await recent())?.id ?? null
    if (canForget(purchase, found.value !== null, now())) settled(purchase.operation)
  }
  if (found.value === undefined)
    return (
      <section class="notice ask">
        <p>{say('lost')}</p>
        <Act run={check}>{say('check')}</Act>
      </section>
    )
  return (
    <section class="notice ask" role="status">
      <p>{say(found.value === null ? 'notFound' : 'found')}</p>
      {found.value === null ? (
        <button type="button" onClick={onDone}>
          {say('fine')}
        </button>
      ) : (
        <a class="button" href={to('/payments/:id', { id: found.value })}>
          {say('openPayment')}
        </a>
      )}
    </section>
  )
}

/** `after` so many seconds without an answer. */
export const LostPurchases = ({ after }: { readonly after?: number }) => {
  const lost = useSignal(lostPurchases(unsettled(), now(), after))
  return (
    <>
      {lost.value.map((purchase) => (
        <Lost
          key={purchase.operation}
          purchase={purchase}
          onDone={() => {
            lost.value = lost.value.filter((one) => one !== purchase)
          }}
        />
      ))}
    </>
  )
}
