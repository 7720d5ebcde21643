import { useSignal } from '@preact/signals'
import { Dialog } from '../../../kit/dialog.tsx'
import { Field, Form } from '../../../kit/form.tsx'
import { Card } from '../../../kit/look.tsx'
import { tell } from '../../../kit/toast.tsx'
import { date, money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import type { OrderPage, OrderProps } from './order-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** What a refund would take back, in sentences. */
const consequences = ({ amount, currency, takes_back }: OrderPage['refund_now']): string[] => {
  const { days, expires_at, key, balance, commission } = takes_back
  return [
    say('givesBack', { sum: money(amount, currency) }),
    ...(days > 0 ? [say('takesDays', { n: days })] : []),
    ...(expires_at === null ? [] : [say('endsThen', { at: date(expires_at) })]),
    ...(key ? [say('takesKey')] : []),
    ...(balance > 0 ? [say('takesBalance', { sum: money(balance) })] : []),
    ...(commission > 0 ? [say('takesCommission', { sum: money(commission) })] : []),
  ]
}

const RefundForm = ({ order, of }: OrderProps) => {
  const isOpen = useSignal(false)
  const { id, refund_now } = order
  const send = async ({ to, reason = '', recipient }: Readonly<Record<string, string>>) => {
    const body = { to: to as 'source' | 'balance', reason, ...(recipient && { recipient }) }
    await once('refundPayment', { id, body }, (idempotencyKey) =>
      api.refundPayment({ params: { id }, body, idempotencyKey }),
    )
    isOpen.value = false
    tell(say('refundedNow'))
    await of.reload()
  }
  return (
    <>
      <button type="button" class="danger" onClick={() => (isOpen.value = true)}>
        {say('refund')}
      </button>
      <Dialog isOpen={isOpen} title={say('refundTitle', { id: `${id}` })}>
        <ul>
          {consequences(refund_now).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        <Form
          send={send}
          submit={say('refundNow', { sum: money(refund_now.amount, refund_now.currency) })}
          kind="danger"
          isSpending
        >
          <Field name="to" label={say('where')}>
            {(wiring) => (
              <select {...wiring}>
                {refund_now.to.map((place) => (
                  <option key={place} value={place}>
                    {say(place)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field name="reason" label={say('reason')}>
            {(wiring) => <input {...wiring} maxLength={500} required />}
          </Field>
          <Field name="recipient" label={say('recipient')} hint={say('recipientHint')}>
            {(wiring) => <input {...wiring} maxLength={64} autocomplete="off" />}
          </Field>
        </Form>
      </Dialog>
    </>
  )
}

/** What is usual is said in the operator's language; the rest as the service says it. */
const NoRefund = ({ order }: { readonly order: OrderPage }) => {
  const { state, is_gift, promocode_id, refund_now } = order
  if (is_gift) return <p class="small">{say('noRefundOfGift')}</p>
  if (promocode_id !== null) return <p class="small">{say('noRefundOfPromocode')}</p>
  if (state === 'refunded' || refund_now.problem === null)
    return <p class="small">{say('nothingToRefund')}</p>
  if (state !== 'paid' && state !== 'fulfilled') return <p class="small">{say('notPaid')}</p>
  return (
    <p class="small" lang="en">
      {refund_now.problem}
    </p>
  )
}

export const RefundCard = ({ order, of }: OrderProps) => {
  const { refund_now, refunds } = order
  return (
    <Card title={say('refunds')}>
      {refunds.map(({ id, amount, currency, destination, state, reason, failure }) => (
        <p key={id}>
          {say('wasRefunded', {
            sum: money(amount, currency),
            to: say(destination === 'source' ? 'source' : 'balance'),
            state: say(state),
          })}
          <span class="small">{failure ?? reason}</span>
        </p>
      ))}
      {refund_now.to.length === 0 ? (
        <NoRefund order={order} />
      ) : (
        <>
          <ul>
            {consequences(refund_now).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          {may('refundPayment') && (
            <div class="acts">
              <RefundForm order={order} of={of} />
            </div>
          )}
        </>
      )}
    </Card>
  )
}
