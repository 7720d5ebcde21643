import { date, money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { api, SallyportError } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { to } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** Where one text is looked for, and what is found there. */

export const kinds = ['customer', 'order', 'server', 'node'] as const

export interface Found {
  readonly kind: (typeof kinds)[number]
  readonly title: string
  readonly text: string
  readonly href: string
}

const most = 20

const customers = async (search: string): Promise<Found[]> => {
  const { items } = await api.searchUsers({ query: { search, limit: most } })
  return items.map(({ id, email, telegram_id, balance, created_at }) => ({
    kind: 'customer',
    title: email ?? (telegram_id === null ? say('numbered', { id: `${id}` }) : `Telegram ${telegram_id}`),
    text: say('aboutCustomer', { id: `${id}`, since: date(created_at), balance: money(balance) }),
    href: to('/console/customers/:id', { id }),
  }))
}

/** By any of their numbers. */
const orders = async (search: string): Promise<Found[]> => {
  const rows = await api.searchPayments({ query: { search, limit: most } })
  return rows.map(({ id, user_id, amount, currency, created_at }) => ({
    kind: 'order',
    title: say('orderNumber', { id: `${id}` }),
    text: say('aboutOrder', { user: `${user_id}`, sum: money(amount, currency), at: date(created_at) }),
    href: to('/console/orders/:id', { id }),
  }))
}

const isNamed = (text: string, names: readonly (string | number | null)[]): boolean =>
  names.some((name) => name !== null && String(name).toLowerCase().includes(text.toLowerCase()))

/** There are few of these, so that all of them are looked at. */
const servers = async (search: string): Promise<Found[]> => {
  const rows = await api.listServers({})
  return rows
    .filter(({ id, domain }) => String(id) === search || isNamed(search, [domain]))
    .map(({ id, domain, used_slots, capacity }) => ({
      kind: 'server',
      title: say('serverNumber', { id: `${id}` }),
      text: [domain, say('slots', { used: `${used_slots}`, capacity: `${capacity}` })]
        .filter(Boolean)
        .join(' · '),
      href: to('/console/servers/:id', { id }),
    }))
}

const nodes = async (search: string): Promise<Found[]> => {
  const rows = await api.listNodes({})
  return rows
    .filter(({ name, address }) => isNamed(search, [name, address]))
    .map(({ id, name, address, is_online }) => ({
      kind: 'node',
      title: name,
      text: `${address} · ${say(is_online ? 'online' : 'away')}`,
      href: to('/console/nodes/:id', { id }),
    }))
}

/** What cannot be looked for in that way finds nothing there: the text is no number, or too long. */
const orNothing = async (search: Promise<Found[]>): Promise<Found[]> =>
  search.catch((error) => {
    if (error instanceof SallyportError && error.statusCode === 400) return []
    throw error
  })

export const lookFor = async (text: string): Promise<Found[]> => {
  if (text === '') return []
  const looks = [
    ...(may('searchUsers') ? [customers(text)] : []),
    ...(may('searchPayments') ? [orders(text)] : []),
    ...(may('listServers') ? [servers(text)] : []),
    ...(may('listNodes') ? [nodes(text)] : []),
  ]
  return (await Promise.all(looks.map(orNothing))).flat()
}
