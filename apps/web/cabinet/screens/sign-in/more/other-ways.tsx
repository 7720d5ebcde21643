import { Fold } from '../../../../kit/fold.tsx'
import { Field, Form } from '../../../../kit/form.tsx'
import { api } from '../../../../lib/api.ts'
import type { Enter } from '../../../code/enter.ts'
import { explainingCode } from '../../../code/refusals.ts'
import { say } from './say.ts'

/** What is made on a device where somebody is signed in. */
export const OtherWays = ({ onEnter }: { readonly onEnter: Enter }) => {
  const byCode = async ({ code = '' }) =>
    onEnter(await explainingCode(api.signInWithCode({ body: { code: code.trim() } })))
  const byPassword = async ({ login = '', password = '' }) =>
    onEnter(
      await explainingCode(api.signInWithOtp({ body: { login: login.trim(), password: password.trim() } })),
    )
  return (
    <Fold title={say('others')}>
      <Form submit={say('byCode')} send={byCode}>
        <Field name="code" label={say('device')} hint={say('deviceHint')}>
          {(wiring) => (
            <input
              {...wiring}
              class="code"
              data-way="device"
              autocomplete="off"
              autocapitalize="characters"
              spellcheck={false}
              minLength={4}
              maxLength={32}
              required
            />
          )}
        </Field>
      </Form>
      <Form submit={say('byPassword')} send={byPassword}>
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
          {(wiring) => (
            <input
              {...wiring}
              class="code"
              autocomplete="one-time-code"
              autocapitalize="characters"
              spellcheck={false}
              minLength={4}
              maxLength={32}
              required
            />
          )}
        </Field>
      </Form>
    </Fold>
  )
}
