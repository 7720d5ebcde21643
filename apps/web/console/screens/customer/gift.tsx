import { tell } from '../../../kit/toast.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { api } from '../../api.ts'
import { Make } from '../../kit/forms/make.tsx'
import { useLocations } from '../../kit/places.ts'
import { productOptions } from '../../kit/product.ts'
import type { UserProps } from './user.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Body = NonNullable<Parameters<typeof api.grantProduct>[0]['body']>

/** Without payment; in the books it is a gift. */
export const Gift = ({ user, of }: UserProps) => {
  const { locations, nameOf } = useLocations()
  const send = async (given: object) => {
    const body = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')) as Body
    const { expires_at } = await once('grantProduct', { id: user.id, body }, (idempotencyKey) =>
      api.grantProduct({ params: { id: user.id }, body, idempotencyKey }),
    )
    tell(say('given', { at: dateTime(expires_at) }))
    await of.reload()
  }
  const places = (locations.data.value ?? []).map(({ id }) => [String(id), nameOf(id)] as const)
  return (
    <Make
      title={say('gift')}
      submit={say('giveNow')}
      send={send}
      values={{ product_type: 'configs', protocol: 'vless', days: 30 }}
      fields={[
        {
          name: 'product_type',
          label: say('what'),
          kind: 'choice',
          options: productOptions(),
          isRequired: true,
        },
        { name: 'product_id', label: say('whichOne'), hint: say('whichOneHint'), kind: 'number' },
        {
          name: 'location_id',
          label: say('place'),
          hint: say('placeHint'),
          kind: 'choice',
          options: places,
          isNumeric: true,
        },
        { name: 'protocol', label: say('protocol'), hint: say('protocolHint') },
        { name: 'days', label: say('howMany'), kind: 'number', isRequired: true },
        { name: 'reason', label: say('reason'), hint: say('reasonHint'), isRequired: true },
      ]}
    />
  )
}
