import { tell } from '../../../kit/toast.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import type { FieldOf } from '../../kit/forms/fields.tsx'
import { Make } from '../../kit/forms/make.tsx'
import { Move } from './move.tsx'
import type { TermProps } from './user.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const reason: FieldOf = { name: 'reason', label: say('reason'), hint: say('reasonHint'), isRequired: true }

/** Days are given with a reason, which the log keeps; the customer is told of the days. */
export const Days = ({ term, of }: TermProps) => {
  const id = term.term_id
  const send = async (given: object) => {
    const body = given as { readonly days: number; readonly reason: string }
    const { expires_at } = await once('changeTermDays', { id, body }, (idempotencyKey) =>
      api.changeTermDays({ params: { id }, body, idempotencyKey }),
    )
    tell(say('daysGiven', { at: dateTime(expires_at) }))
    await of.reload()
  }
  return (
    <Make
      title={say('days')}
      submit={say('give')}
      send={send}
      values={{ days: 3 }}
      fields={[
        { name: 'days', label: say('howMany'), hint: say('daysHint'), kind: 'number', isRequired: true },
        reason,
      ]}
    >
      <p>{say('daysTitle', { title: term.title })}</p>
    </Make>
  )
}

/** Of a paid option: off or on, and its traffic from the beginning. */
export const Option = ({ term, user, of }: TermProps) => {
  const optionId = term.product_id
  if (optionId === null) return null
  const change =
    (what: { readonly is_disabled?: boolean; readonly reset_traffic?: true }) => async (given: object) => {
      const body = { ...what, ...(given as { readonly reason: string }) }
      await api.changeUserOption({ params: { id: user.id, option_id: optionId }, body })
      tell(say('optionChanged'))
      await of.reload()
    }
  const isOff = term.state === 'disabled'
  return (
    <>
      <Make
        title={say(isOff ? 'switchOn' : 'switchOff')}
        submit={say(isOff ? 'switchOnNow' : 'switchOffNow')}
        send={change({ is_disabled: !isOff })}
        fields={[reason]}
        {...(!isOff && { kind: 'danger' as const })}
      >
        <p>{say(isOff ? 'switchOnText' : 'switchOffText', { title: term.title })}</p>
      </Make>
      <Make
        title={say('resetTraffic')}
        submit={say('resetNow')}
        send={change({ reset_traffic: true })}
        fields={[reason]}
      >
        <p>{say('resetText')}</p>
      </Make>
    </>
  )
}

export const TermActs = (props: TermProps) => {
  const { product_type, state } = props.term
  return (
    <div class="acts">
      {may('changeTermDays') && <Days {...props} />}
      {may('moveTerm') && product_type === 'configs' && state !== 'expired' && <Move {...props} />}
      {may('changeUserOption') && product_type === 'paid_options' && state !== 'expired' && (
        <Option {...props} />
      )}
    </div>
  )
}
