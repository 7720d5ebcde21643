import { useSignal } from '@preact/signals'
import { Copyable } from '../../../../kit/copy.tsx'
import { Field, type Filled, Form } from '../../../../kit/form.tsx'
import { Shown } from '../../../../kit/shown.tsx'
import { tell } from '../../../../kit/toast.tsx'
import { api } from '../../../../lib/api.ts'
import { date } from '../../../../lib/format.ts'
import { once } from '../../../../lib/once.ts'
import { useResource } from '../../../../lib/resource.ts'
import { Asked } from '../asked.tsx'
import { say } from './say.ts'

type Key = Awaited<ReturnType<typeof api.listApiKeys>>[number]

const most = 5

const Line = ({ apiKey, onRevoke }: { readonly apiKey: Key; readonly onRevoke: () => Promise<unknown> }) => {
  const title = apiKey.title ?? say('untitled')
  const times = [
    say('created', { date: date(apiKey.created_at) }),
    apiKey.last_used_at === null ? say('neverUsed') : say('used', { date: date(apiKey.last_used_at) }),
  ]
  const question = say('revokeOne', { title })
  return (
    <li class="tall">
      <div class="named">
        <b>{title}</b>
        <p class="small">
          <code>slp_{apiKey.prefix}_…</code>
        </p>
        <p class="small">{times.join(' · ')}</p>
      </div>
      <Asked text={say('revoke')} label={question} title={`${question}?`} yes={say('revoke')} run={onRevoke}>
        <p>{say('revokeText')}</p>
      </Asked>
    </li>
  )
}

const NewKey = ({ secret, onHide }: { readonly secret: string; readonly onHide: () => void }) => (
  <div class="good-news part" role="status">
    <p>{say('shownOnce')}</p>
    <Copyable text={secret} label={say('copyKey')} />
    <button type="button" class="link" onClick={onHide}>
      {say('hide')}
    </button>
  </div>
)

/** Shown whole once; at most five. */
export const ApiKeys = () => {
  const keys = useResource('api-keys', () => api.listApiKeys())
  const secret = useSignal<string | undefined>(undefined)
  const create = async ({ title = '' }: Filled) => {
    const body = { title: title.trim() || null }
    const made = await once('createApiKey', body, (idempotencyKey) =>
      api.createApiKey({ body, idempotencyKey }),
    )
    secret.value = made.api_key
    await keys.reload()
  }
  const revoke = async ({ id }: Key) => {
    await api.revokeApiKey({ params: { id } })
    keys.set((keys.data.value ?? []).filter((one) => one.id !== id))
    tell(say('revoked'))
  }
  const hide = () => {
    secret.value = undefined
  }
  return (
    <>
      <p class="small">{say('apiText')}</p>
      <a href="/docs" target="_blank" rel="noreferrer">
        {say('docs')}
      </a>
      {secret.value !== undefined && <NewKey secret={secret.value} onHide={hide} />}
      <Shown of={keys}>
        {(all) => (
          <>
            {all.length === 0 && <p>{say('noKeys')}</p>}
            <ul class="list">
              {all.map((one) => (
                <Line key={one.id} apiKey={one} onRevoke={() => revoke(one)} />
              ))}
            </ul>
            {all.length >= most && <p>{say('full')}</p>}
            <Form key={all.length} submit={say('create')} send={create} disabled={all.length >= most}>
              <Field name="title" label={say('keyTitle')} hint={say('keyHint')}>
                {(wiring) => <input {...wiring} maxLength={64} autocomplete="off" />}
              </Field>
            </Form>
          </>
        )}
      </Shown>
    </>
  )
}
