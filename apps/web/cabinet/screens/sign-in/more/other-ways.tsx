import { Fold } from '../../../../kit/fold.tsx'
import { Field, Form } from '../../../../kit/form.tsx'
import { api } from '../../../../lib/api.ts'
import type { Enter } from '../../../code/enter.ts'
import { explainingCode } from '../../../code/refusals.ts'
import { say } from './say.ts'

interface OtherWaysProps {
  readonly onEnter: Enter
}

const ownCode = {
  class: 'code',
  autocapitalize: 'characters',
  spellcheck: false,
  minLength: 4,
  maxLength: 32,
  required: true,
} as const

const ByCode = ({ onEnter }: OtherWaysProps) => {
  const send = async ({ code = '' }) =>
    onEnter(await explainingCode(api.signInWithCode({ body: { code: code.trim() } })))
  return (
    <Form submit={say('byCode')} send={send}>
      <Field name="code" label={say('device')} hint={say('deviceHint')}>
        {(wiring) => <input {...wiring} {...ownCode} data-way="device" autocomplete="off" />}
      </Field>
    </Form>
  )
}

const ByPassword = ({ onEnter }: OtherWaysProps) => {
  const send = async ({ login = '', password = '' }) =>
    onEnter(
      await explainingCode(api.signInWithOtp({ body: { login: login.trim(), password: password.trim() } })),
    )
  return (
    <Form submit={say('byPassword')} send={send}>
      <Field name="login" label={say('login')}>
        {(wiring) => (
          <input
            {...wiring}
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            maxLength={254}
            required
          />
        )}
      </Field>
      <Field name="password" label={say('password')} hint={say('passwordHint')}>
        {(wiring) => <input {...wiring} {...ownCode} autocomplete="one-time-code" />}
      </Field>
    </Form>
  )
}

/** What is made on a device where somebody is signed in. */
export const OtherWays = ({ onEnter }: OtherWaysProps) => (
  <Fold title={say('others')}>
    <ByCode onEnter={onEnter} />
    <ByPassword onEnter={onEnter} />
  </Fold>
)
