import { useSignal } from '@preact/signals'
import { isCardNumber, maskCard, normaliseCardNumber } from '@sallyport/domain/money/luhn'
import { maskPhone } from '@sallyport/domain/money/referral'
import { Choice } from '../../../kit/choice.tsx'
import { Field, type Filled, Form } from '../../../kit/form.tsx'
import { Told } from '../../../kit/problem.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { api, SallyportError } from '../../../lib/api.ts'
import { money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { useResource } from '../../../lib/resource.ts'
import { phoneIn } from './records.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const [least, most] = [1000, 75_000]

/** What is kept of the wish is masked: the number itself stays out of the browser's storage. */
const toPhone = (amount: number, { phone_number = '', bank_id = '' }: Filled) => {
  const phone = phoneIn(phone_number)
  if (phone === undefined) throw new Told(say('badPhone'))
  if (!bank_id) throw new Told(say('badBank'))
  return once('withdrawBySbp', { amount, bank_id, to: maskPhone(phone) }, (idempotencyKey) =>
    api.withdrawBySbp({ body: { amount, bank_id, phone_number: phone }, idempotencyKey }),
  )
}

const toCard = (amount: number, { card_number = '' }: Filled) => {
  const card = normaliseCardNumber(card_number)
  if (!isCardNumber(card)) throw new Told(say('badCard'))
  return once('withdrawToCard', { amount, to: maskCard(card) }, (idempotencyKey) =>
    api.withdrawToCard({ body: { amount, card_number: card }, idempotencyKey }),
  )
}

const explained = (error: unknown): unknown =>
  error instanceof SallyportError && error.is('INSUFFICIENT_REFERRAL_BALANCE')
    ? new Told(say('notEnough'))
    : error

const SbpFields = () => {
  const banks = useResource('sbp-banks', () => api.listSbpBanks())
  return (
    <>
      <Shown of={banks} lines={1}>
        {(all) => (
          <Field name="bank_id" label={say('bank')}>
            {(wiring) => (
              <select {...wiring} required>
                <option value="">{say('chooseBank')}</option>
                {all.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
      </Shown>
      <Field name="phone_number" label={say('phone')} hint={say('phoneHint')}>
        {(wiring) => (
          <input
            {...wiring}
            type="tel"
            autocomplete="tel"
            placeholder="+7 900 123-45-67"
            maxLength={24}
            required
          />
        )}
      </Field>
    </>
  )
}

const CardField = () => (
  <Field name="card_number" label={say('cardNumber')} hint={say('cardHint')}>
    {(wiring) => (
      <input
        {...wiring}
        inputMode="numeric"
        autocomplete="cc-number"
        placeholder="0000 0000 0000 0000"
        maxLength={32}
        required
      />
    )}
  </Field>
)

interface WithdrawProps {
  readonly available: number
  readonly onDone: () => void
}

export const Withdraw = ({ available, onDone }: WithdrawProps) => {
  const way = useSignal<'sbp' | 'card'>('sbp')
  const limit = Math.min(available, most)
  const send = async (filled: Filled) => {
    const amount = Number(filled.amount)
    try {
      await (way.value === 'sbp' ? toPhone(amount, filled) : toCard(amount, filled))
    } catch (error) {
      throw explained(error)
    }
    onDone()
  }
  return (
    <>
      <Choice
        legend={say('way')}
        value={way.value}
        onChoose={(value) => {
          way.value = value
        }}
        options={[
          { value: 'sbp', title: say('sbp'), text: say('sbpText') },
          { value: 'card', title: say('card'), text: say('cardText') },
        ]}
      />
      <Form submit={say('ask')} send={send} isSpending>
        {way.value === 'sbp' ? <SbpFields /> : <CardField />}
        <Field
          name="amount"
          label={say('amount')}
          hint={say('amountHint', { least: money(least), most: money(limit) })}
        >
          {(wiring) => (
            <input
              {...wiring}
              type="number"
              inputMode="numeric"
              min={least}
              max={limit}
              step={1}
              defaultValue={String(limit)}
              required
            />
          )}
        </Field>
      </Form>
    </>
  )
}
