import { api } from '../../../lib/api.ts'
import { date } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { readConfigsWith } from '../../checkout/own-configs.ts'
import { cloudName } from '../../owned/names.ts'
import type { Paid } from './pace.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Item = NonNullable<Paid['item']>

interface Prolonged {
  readonly name: string | null | undefined
  readonly endsAt: number
}

/** As it is now that it is paid; null where it is gone. */
const read = async ({ type, id }: Item): Promise<Prolonged | null> => {
  if (type === 'configs') {
    const one = (await readConfigsWith(id)).find((config) => config.id === id)
    return one ? { name: one.title, endsAt: one.expires_at } : null
  }
  if (type === 'paid_options') {
    const one = (await api.listPaidOptions()).find(({ option_id }) => option_id === id)
    return one ? { name: undefined, endsAt: one.expires_at } : null
  }
  const one = (await api.listCloudServers()).find((server) => server.id === id)
  return one ? { name: cloudName(one, undefined), endsAt: one.expires_at } : null
}

const kinds = { configs: 'config', paid_options: 'option', cloud_servers: 'cloud' } as const

/** What was prolonged, and until when; the end comes a moment later. */
export const Renewed = ({ paid, item }: { readonly paid: Paid; readonly item: Item }) => {
  const prolonged = useResource(`renewed/${paid.id}`, () => read(item)).data.value
  const what = prolonged?.name ?? paid.product_title ?? say(kinds[item.type])
  return (
    <p>
      {prolonged
        ? say('paidRenewed', { what, date: date(prolonged.endsAt) })
        : say('paidRenewedPlain', { what })}
    </p>
  )
}
