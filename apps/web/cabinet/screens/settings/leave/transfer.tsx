import { useSignal } from '@preact/signals'
import { Act } from '../../../../kit/act.tsx'
import { Copyable } from '../../../../kit/copy.tsx'
import { Field, type Filled, Form } from '../../../../kit/form.tsx'
import { Facts } from '../../../../kit/look.tsx'
import { Told } from '../../../../kit/problem.tsx'
import { api, SallyportError } from '../../../../lib/api.ts'
import { money, number } from '../../../../lib/format.ts'
import { forgetRead } from '../../../../lib/resource.ts'
import { to } from '../../../paths.ts'
import { Countdown } from '../countdown.tsx'
import { say } from './say.ts'

type Moved = Awaited<ReturnType<typeof api.activateTransferKey>>

const Give = () => {
  const made = useSignal<{ readonly key: string; readonly expires_at: number } | undefined>(undefined)
  const create = async () => {
    made.value = await api.createTransferKey()
  }
  return (
    <section class="part">
      <h3>{say('give')}</h3>
      <p>{say('giveText')}</p>
      <p class="notice">{say('giveWarning')}</p>
      {made.value && (
        <>
          <Copyable text={made.value.key} label={say('copyKey')} />
          <Countdown
            until={made.value.expires_at}
            left={(time) => say('left', { time })}
            over={say('over')}
          />
        </>
      )}
      <Act run={create}>{say(made.value ? 'newKey' : 'createKey')}</Act>
    </section>
  )
}

const explained = (error: unknown): unknown => {
  if (!(error instanceof SallyportError)) return error
  if (error.is('TRANSFER_KEY_INVALID')) return new Told(say('badKey'))
  return error.statusCode === 409 ? new Told(say('cannot')) : error
}

const Taken = ({ moved }: { readonly moved: Moved }) => (
  <div class="good-news part" role="status">
    <p>{say('taken')}</p>
    <Facts
      rows={[
        [say('configs'), number(moved.configs)],
        [say('paid_options'), number(moved.paid_options)],
        [say('cloud_servers'), number(moved.cloud_servers)],
        [say('promocodes'), number(moved.promocodes)],
        [say('balance'), money(moved.balance)],
        [say('earnings'), money(moved.referral_balance)],
      ]}
    />
    <a href={to('/')}>{say('toHome')}</a>
  </div>
)

const Take = () => {
  const moved = useSignal<Moved | undefined>(undefined)
  const take = async ({ key = '' }: Filled) => {
    try {
      moved.value = await api.activateTransferKey({ body: { key: key.trim() } })
    } catch (error) {
      throw explained(error)
    }
    forgetRead()
  }
  if (moved.value) return <Taken moved={moved.value} />
  return (
    <section class="part">
      <h3>{say('take')}</h3>
      <p>{say('takeText')}</p>
      <p class="notice">{say('takeWarning')}</p>
      <Form submit={say('takeAll')} kind="danger" send={take}>
        <Field name="key" label={say('key')}>
          {(wiring) => (
            <input
              {...wiring}
              class="code"
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
    </section>
  )
}

export const Transfer = () => (
  <>
    <p>
      {say('transferText')} {say('moves')}
    </p>
    <Give />
    <Take />
  </>
)
