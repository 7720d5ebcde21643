import { useSignal } from '@preact/signals'
import { Act } from '../../../kit/act.tsx'
import { Confirm } from '../../../kit/dialog.tsx'
import { tell } from '../../../kit/toast.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { forgetRead, resource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { type Secret, ShownOnce } from '../../kit/shown-once.tsx'
import { isMe, type OperatorProps, toldKindly } from './operator.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** A way in that ends the one before, so it is asked for twice. */
const NewLink = ({ operator }: Pick<OperatorProps, 'operator'>) => {
  const { id, name } = operator
  const isOpen = useSignal(false)
  const made = useSignal<Secret | undefined>(undefined)
  const make = async () => {
    const { sign_in_link, expires_at } = await once('createSignInLink', { id }, (idempotencyKey) =>
      api.createSignInLink({ params: { id }, idempotencyKey }),
    )
    made.value = { text: sign_in_link, about: say('linkAbout', { name, at: dateTime(expires_at) }) }
  }
  return (
    <>
      <button type="button" onClick={() => (isOpen.value = true)}>
        {say('link')}
      </button>
      <Confirm
        isOpen={isOpen}
        title={say('linkTitle', { name })}
        yes={say('linkMake')}
        run={make}
        isDanger={false}
      >
        <p>{say('linkText', { name })}</p>
      </Confirm>
      <ShownOnce of={made} title={say('linkMade')} />
    </>
  )
}

const useSwitch =
  ({ operator, of }: OperatorProps) =>
  async (isActive: boolean) => {
    const { id, name, version } = operator
    const body = { is_active: isActive, version }
    of.set(await toldKindly(api.changeOperator({ params: { id }, body })))
    tell(say(isActive ? 'switchedOn' : 'switchedOff', { name }))
    forgetRead('operators')
    await resource(`tokens/${id}`, () => api.listOperatorTokens({ params: { id } })).reload()
  }

const SwitchOff = (props: OperatorProps) => {
  const { name } = props.operator
  const isOpen = useSignal(false)
  const turn = useSwitch(props)
  return (
    <>
      <button type="button" class="danger" onClick={() => (isOpen.value = true)}>
        {say('switchOff')}
      </button>
      <Confirm
        isOpen={isOpen}
        title={say('switchOffTitle', { name })}
        yes={say('switchOffYes')}
        run={() => turn(false)}
      >
        <p>{say('switchOffText')}</p>
        {isMe(props.operator) && <p>{say('switchOffSelf')}</p>}
      </Confirm>
    </>
  )
}

export const Acts = (props: OperatorProps) => {
  const { operator } = props
  const turn = useSwitch(props)
  return (
    <div class="acts">
      {may('createSignInLink') && operator.is_active && <NewLink operator={operator} />}
      {may('changeOperator') && operator.is_active && <SwitchOff {...props} />}
      {may('changeOperator') && !operator.is_active && (
        <Act kind="p" run={() => turn(true)}>
          {say('switchOn')}
        </Act>
      )}
    </div>
  )
}
