import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import type { Resource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import type { FieldOf } from '../../kit/forms/fields.tsx'
import { Make } from '../../kit/forms/make.tsx'
import { type Method, nameOf } from './method.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Body = NonNullable<Parameters<typeof api.createPaymentMethod>[0]['body']>

const currencies = ['RUB', 'TON', 'USDT', 'XTR', 'USD'] as const satisfies readonly Body['currency'][]

const fields: readonly FieldOf[] = [
  { name: 'key', label: say('key'), hint: say('keyHint'), isRequired: true },
  { name: 'name_ru', label: say('nameRu'), isRequired: true },
  { name: 'name_en', label: say('nameEn'), isRequired: true },
  { name: 'currency', label: say('currency'), kind: 'choice', options: currencies.map((one) => [one, one]) },
  { name: 'min_amount', label: say('minimum'), hint: say('minimumHint'), kind: 'number', isRequired: true },
  { name: 'provider', label: say('provider'), hint: say('providerLater') },
  { name: 'is_active', label: say('isOn'), kind: 'check' },
]

/** What is left empty is left out. */
const bodyOf = (filled: object): Body =>
  Object.fromEntries(Object.entries(filled).filter(([, value]) => value !== '')) as unknown as Body

export const AddMethod = ({ of }: { readonly of: Resource<Method[]> }) => {
  const send = async (filled: object) => {
    const body = bodyOf(filled)
    const made = await once('createPaymentMethod', body, (idempotencyKey) =>
      api.createPaymentMethod({ body, idempotencyKey }),
    )
    tell(say('added', { name: nameOf(made) }))
    await of.reload()
  }
  return (
    <Make
      title={say('add')}
      submit={say('addNow')}
      kind="p"
      fields={fields}
      values={{ currency: 'RUB', is_active: true }}
      send={send}
    >
      <p class="small">{say('addText')}</p>
    </Make>
  )
}
