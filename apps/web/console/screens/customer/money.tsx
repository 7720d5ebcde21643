import { useSignal } from '@preact/signals'
import { Confirmed, Dialog } from '../../../kit/dialog.tsx'
import { Facts } from '../../../kit/fold.tsx'
import { Field, Form } from '../../../kit/form.tsx'
import { Card } from '../../../kit/look.tsx'
import { tell } from '../../../kit/toast.tsx'
import { dateTime, money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Make } from '../../kit/forms/make.tsx'
import { OrderBadge } from '../../kit/order-state.tsx'
import { productTitle, ruleOptions, ruleTitle } from '../../kit/product.ts'
import { asking, to } from '../../paths.ts'
import type { User, UserProps } from './user.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export const Adjust = ({ user, of }: UserProps) => {
  const isOpen = useSignal(false)
  const send = async ({ account, amount = '', reason = '' }: Readonly<Record<string, string>>) => {
    const body = { account: account as 'wallet' | 'referral', amount: Number(amount), reason }
    await once('adjustBalance', { id: user.id, body }, (idempotencyKey) =>
      api.adjustBalance({ params: { id: user.id }, body, idempotencyKey }),
    )
    isOpen.value = false
    tell(say('adjusted'))
    await of.reload()
  }
  return (
    <>
      <button type="button" onClick={() => (isOpen.value = true)}>
        {say('adjust')}
      </button>
      <Dialog isOpen={isOpen} title={say('adjust')}>
        <Form send={send} submit={say('adjustNow')} isSpending>
          <Field name="account" label={say('whichBalance')}>
            {(wiring) => (
              <select {...wiring}>
                <option value="wallet">{say('wallet')}</option>
                <option value="referral">{say('referral')}</option>
              </select>
            )}
          </Field>
          <Field name="amount" label={say('sum')} hint={say('sumHint')}>
            {(wiring) => <input {...wiring} type="number" required />}
          </Field>
          <Field name="reason" label={say('reason')} hint={say('reasonHint')}>
            {(wiring) => <input {...wiring} maxLength={500} required />}
          </Field>
        </Form>
      </Dialog>
    </>
  )
}

const NewRule = ({ user, of }: UserProps) => {
  const send = async (given: object) => {
    const body = given as NewRuleBody
    await once('createPricingRule', { id: user.id, body }, (idempotencyKey) =>
      api.createPricingRule({ params: { id: user.id }, body, idempotencyKey }),
    )
    tell(say('ruleMade'))
    await of.reload()
  }
  return (
    <Make
      title={say('newRule')}
      submit={say('makeRule')}
      send={send}
      fields={[
        { name: 'type', label: say('ruleFor'), kind: 'choice', options: ruleOptions(), isRequired: true },
        {
          name: 'percent',
          label: say('percent'),
          hint: say('percentHint'),
          kind: 'number',
          isRequired: true,
        },
        { name: 'comment', label: say('comment'), hint: say('commentHint'), isNullable: true },
      ]}
      values={{ type: 'all', percent: -10 }}
    />
  )
}

type NewRuleBody = NonNullable<Parameters<typeof api.createPricingRule>[0]['body']>
type Rule = User['pricing_rules'][number]

const Rules = ({ user, of }: UserProps) => {
  const remove = async (rule_id: number) => {
    await api.deletePricingRule({ params: { id: user.id, rule_id } })
    tell(say('ruleRemoved'))
    await of.reload()
  }
  const told = ({ percent, type }: Rule) =>
    say(percent < 0 ? 'discount' : 'surcharge', { n: `${Math.abs(percent)}`, type: ruleTitle(type) })
  return (
    <ul class="list">
      {user.pricing_rules.map((rule) => (
        <li key={rule.id}>
          <div>
            {told(rule)}
            {rule.comment && <div class="small">{rule.comment}</div>}
          </div>
          {may('deletePricingRule') && (
            <Confirmed title={say('removeRule')} yes={say('remove')} run={() => remove(rule.id)}>
              <p>{told(rule)}</p>
            </Confirmed>
          )}
        </li>
      ))}
    </ul>
  )
}

const Orders = ({ user }: Pick<UserProps, 'user'>) => (
  <>
    <h3>{say('orders')}</h3>
    {user.orders.length === 0 ? (
      <p class="small">{say('noOrders')}</p>
    ) : (
      <ul class="list">
        {user.orders.map(({ id, product, state, amount, currency, days, method, created_at, is_gift }) => (
          <li key={id}>
            <div>
              <a href={to('/console/orders/:id', { id })}>
                {say('order', { id: `${id}`, product: productTitle(product) })}
              </a>
              <div class="small">
                {dateTime(created_at)} · {say('forDays', { n: days })} · {is_gift ? say('aGift') : method}
              </div>
            </div>
            <div>
              {money(amount, currency)} <OrderBadge state={state} />
            </div>
          </li>
        ))}
      </ul>
    )}
  </>
)

export const Money = ({ user, of }: UserProps) => {
  const { wallet, referral, referral_hold, withdrawal_hold } = user.balances
  return (
    <Card
      title={say('money')}
      side={
        <div class="acts">
          {may('adjustBalance') && <Adjust user={user} of={of} />}
          {may('createPricingRule') && <NewRule user={user} of={of} />}
        </div>
      }
    >
      <Facts
        rows={[
          [say('wallet'), money(wallet)],
          [say('referral'), money(referral)],
          [say('referralHold'), money(referral_hold)],
          [say('withdrawalHold'), money(withdrawal_hold)],
        ]}
      />
      {user.pricing_rules.length > 0 && <Rules user={user} of={of} />}
      <Orders user={user} />
      <p class="row">
        <a href={asking(to('/console/orders'), { user_id: user.id })}>{say('allOrders')}</a>
        {may('listTransfers') && (
          <a href={asking(to('/console/ledger'), { account: `user:${user.id}:wallet` })}>{say('inLedger')}</a>
        )}
      </p>
    </Card>
  )
}
