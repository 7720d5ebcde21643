import { useSignal } from '@preact/signals'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { type Resource, useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Make } from '../../kit/forms/make.tsx'
import { type Secret, ShownOnce } from '../../kit/shown-once.tsx'
import type { Webhook } from './events.ts'
import { fields } from './fields.ts'
import { WebhookCard } from './webhook-card.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

type Given = NonNullable<Parameters<typeof api.createWebhook>[0]['body']>

const Add = ({ of }: { readonly of: Resource<readonly Webhook[]> }) => {
  const made = useSignal<Secret | undefined>(undefined)
  const send = async (given: object) => {
    const body = given as Given
    const { secret } = await once('createWebhook', body, (idempotencyKey) =>
      api.createWebhook({ body, idempotencyKey }),
    )
    made.value = { text: secret, about: say('secretAbout') }
    await of.reload()
  }
  return (
    <>
      <Make
        title={say('add')}
        submit={say('addNow')}
        kind="p"
        fields={fields}
        values={{ is_active: true }}
        send={send}
      />
      <ShownOnce of={made} title={say('secret')} />
    </>
  )
}

/** Programs that are told what happens, and whether they hear it. */
const Webhooks = () => {
  const webhooks = useResource<readonly Webhook[]>('webhooks', () => api.listWebhooks({}))
  return (
    <>
      <div class="head">
        <h1>{say('title')}</h1>
        {may('createWebhook') && <Add of={webhooks} />}
      </div>
      <p class="small">{say('intro')}</p>
      <Shown of={webhooks} lines={5}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={say('none')} />
          ) : (
            rows.map((row) => <WebhookCard key={row.id} webhook={row} of={webhooks} />)
          )
        }
      </Shown>
    </>
  )
}

export default Webhooks
