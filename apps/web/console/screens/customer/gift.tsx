import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { Dialog } from '../../../kit/dialog.tsx'
import { Form } from '../../../kit/form.tsx'
import { tell } from '../../../kit/toast.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { api } from '../../api.ts'
import { useCloudConfigurations, useOptions } from '../../kit/catalogue/products.ts'
import { titleOf } from '../../kit/catalogue/titled.ts'
import { type FieldOf, Fields, readFields } from '../../kit/forms/fields.tsx'
import { useLocations } from '../../kit/places.ts'
import { productOptions } from '../../kit/product.ts'
import { protocols } from '../../kit/protocols.ts'
import type { UserProps } from './user.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Body = NonNullable<Parameters<typeof api.grantProduct>[0]['body']>
type Product = Body['product_type']

interface Named {
  readonly id: number
  readonly title_ru: string
  readonly title_en: string
}

const choiceOf = (rows: readonly Named[] | undefined): NonNullable<FieldOf['options']> =>
  (rows ?? []).map((row) => [String(row.id), titleOf(row)])

const choice = { kind: 'choice', isRequired: true } as const

/** What has to be known of each product before it can be given. */
const useFields = (product: Product): readonly FieldOf[] => {
  const [options, clouds, { locations }] = [useOptions(), useCloudConfigurations(), useLocations()]
  const place: FieldOf = {
    ...choice,
    name: 'location_id',
    label: say('place'),
    options: choiceOf(locations.data.value),
    isNumeric: true,
  }
  const which: FieldOf = {
    ...choice,
    name: 'product_id',
    label: say('whichOne'),
    options: choiceOf(product === 'cloud_servers' ? clouds.data.value : options.data.value),
    isNumeric: true,
  }
  const protocol: FieldOf = {
    ...choice,
    name: 'protocol',
    label: say('protocol'),
    options: protocols.map((one) => [one, one]),
  }
  const own = { configs: [place, protocol], cloud_servers: [which, place], paid_options: [which] }[product]
  return [
    ...own,
    { name: 'days', label: say('howMany'), kind: 'number', isRequired: true },
    { name: 'reason', label: say('reason'), hint: say('reasonHint'), isRequired: true },
  ]
}

const Giving = ({ give }: { readonly give: (body: Body) => Promise<void> }) => {
  const product = useSignal<Product>('configs')
  const fields = useFields(product.value)
  const id = useId()
  return (
    <>
      <div class="field">
        <label for={id}>{say('what')}</label>
        <select
          id={id}
          value={product.value}
          onChange={(event) => (product.value = event.currentTarget.value as Product)}
        >
          {productOptions().map(([one, title]) => (
            <option key={one} value={one}>
              {title}
            </option>
          ))}
        </select>
      </div>
      <Form
        key={product.value}
        send={(filled) => give({ product_type: product.value, ...readFields(fields, filled) } as Body)}
        submit={say('giveNow')}
      >
        <Fields fields={fields} values={{ protocol: protocols[0], days: 30 }} />
      </Form>
    </>
  )
}

/** Without payment; in the books it is a gift. */
export const Gift = ({ user, of }: UserProps) => {
  const isOpen = useSignal(false)
  const give = async (body: Body) => {
    const { expires_at } = await once('grantProduct', { id: user.id, body }, (idempotencyKey) =>
      api.grantProduct({ params: { id: user.id }, body, idempotencyKey }),
    )
    isOpen.value = false
    tell(say('given', { at: dateTime(expires_at) }))
    await of.reload()
  }
  return (
    <>
      <button type="button" onClick={() => (isOpen.value = true)}>
        {say('gift')}
      </button>
      <Dialog isOpen={isOpen} title={say('gift')}>
        <Giving give={give} />
      </Dialog>
    </>
  )
}
