import { useSignal } from '@preact/signals'
import { Dialog } from '../../../kit/dialog.tsx'
import { Field, Form } from '../../../kit/form.tsx'
import { Badge } from '../../../kit/look.tsx'
import { tell } from '../../../kit/toast.tsx'
import { dateTime, money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Table } from '../../kit/lists/table.tsx'
import type { OrderPage, OrderProps } from './order-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Receipt = OrderPage['receipts'][number]

const tones = { accepted: 'good', extra: 'warn', suspense: 'bad' } as const

/** Money of another sum than was asked for waits until somebody says whose it is. */
const Credit = ({ receipt, of }: { readonly receipt: Receipt } & Pick<OrderProps, 'of'>) => {
  const isOpen = useSignal(false)
  const { id } = receipt
  const send = async ({ reason = '' }: Readonly<Record<string, string>>) => {
    const body = { reason }
    await once('creditReceipt', { id, body }, (idempotencyKey) =>
      api.creditReceipt({ params: { id }, body, idempotencyKey }),
    )
    isOpen.value = false
    tell(say('credited'))
    await of.reload()
  }
  return (
    <>
      <button type="button" onClick={() => (isOpen.value = true)}>
        {say('credit')}
      </button>
      <Dialog isOpen={isOpen} title={say('creditTitle', { sum: money(receipt.value_rub) })}>
        <Form send={send} submit={say('creditNow')} isSpending>
          <Field name="reason" label={say('reason')}>
            {(wiring) => <input {...wiring} maxLength={500} required />}
          </Field>
        </Form>
      </Dialog>
    </>
  )
}

export const Receipts = ({ order, of }: OrderProps) =>
  order.receipts.length === 0 ? null : (
    <section>
      <h2>{say('receipts')}</h2>
      <Table
        caption={say('receipts')}
        rows={order.receipts}
        keyOf={({ id }) => id}
        columns={[
          {
            title: say('providerId'),
            cell: ({ provider, receipt_id }) => (
              <>
                {provider}
                <span class="small">{receipt_id}</span>
              </>
            ),
          },
          { title: say('sum'), cell: ({ amount, currency }) => money(amount, currency), isNumber: true },
          {
            title: say('verdict'),
            cell: ({ verdict, credited_at }) => (
              <Badge tone={credited_at === null ? tones[verdict] : 'good'}>
                {say(credited_at === null ? verdict : 'creditedOne')}
              </Badge>
            ),
          },
          { title: say('when'), cell: ({ created_at }) => dateTime(created_at) },
          {
            title: say('does'),
            isAlone: true,
            cell: (receipt) =>
              receipt.verdict === 'suspense' && receipt.credited_at === null && may('creditReceipt') ? (
                <Credit receipt={receipt} of={of} />
              ) : null,
          },
        ]}
      />
    </section>
  )
