import { useSignal } from '@preact/signals'
import { Field, Form } from '../../../kit/form.tsx'
import { Card } from '../../../kit/look.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { useResource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { to } from '../../paths.ts'
import { type Group, groupsOf, mostItems, type Pickable } from '../../subscription-items/items.ts'
import { Picker } from '../../subscription-items/picker.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const New = ({ groups }: { readonly groups: readonly Group[] }) => {
  const picked = useSignal<readonly Pickable[]>([])
  const { route } = useLocation()
  const create = async (title: string) => {
    const body = { title, items: picked.value.map(({ item }) => item) }
    const { id } = await once('createCustomSubscription', body, (idempotencyKey) =>
      api.createCustomSubscription({ body, idempotencyKey }),
    )
    route(to('/subscriptions/:id', { id }))
  }
  return (
    <Form
      submit={say('create')}
      disabled={picked.value.length === 0}
      send={({ title = '' }) => create(title.trim())}
    >
      <Field name="title" label={say('name')} hint={say('nameHint')}>
        {(wiring) => <input {...wiring} type="text" required maxLength={64} autocomplete="off" />}
      </Field>
      <Picker groups={groups} picked={picked} most={mostItems} />
      {picked.value.length === 0 && <p class="small">{say('pickOne')}</p>}
    </Form>
  )
}

export const Create = () => {
  const available = useResource('available-items', () => api.listAvailableItems())
  return (
    <Card title={say('new')}>
      <Shown of={available}>
        {(items) => {
          const groups = groupsOf(items)
          if (groups.length > 0) return <New groups={groups} />
          return (
            <Empty title={say('nothing')}>
              <a class="button p" href={to('/shop')}>
                {say('toShop')}
              </a>
            </Empty>
          )
        }}
      </Shown>
    </Card>
  )
}
