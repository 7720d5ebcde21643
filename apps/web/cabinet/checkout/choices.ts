import type { Protocol, SwitchName } from '@sallyport/contract/shapes'
import { protocols, recommended } from '../vpn/protocols.ts'
import { moved, switches } from '../vpn/switches.ts'

/** What was chosen, in the address and out of it: a reload and the way back keep it, and a link can fill it in. What is usual is left out. */

export interface Wish {
  readonly days?: number | undefined
  /** Key of the payment method. */
  readonly pay?: string | undefined
  readonly isGift: boolean
  readonly isAuto: boolean
  /** An activation key instead of money; the key itself never stands in the address. */
  readonly isCode: boolean
}

export interface ConfigWish extends Wish {
  readonly location?: number | undefined
  readonly protocol: Protocol
  /** Chosen by the service where none is named. */
  readonly server?: number | undefined
  readonly options: readonly SwitchName[]
}

export interface CloudWish extends Wish {
  readonly location?: number | undefined
  readonly machine?: number | undefined
  /** What the machine shall be called. */
  readonly name?: string | undefined
}

const longestName = 253

const idIn = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name) ?? ''
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

const isOn = (query: URLSearchParams, name: string): boolean => query.get(name) === '1'

export const wishIn = (query: URLSearchParams): Wish => ({
  days: idIn(query, 'days'),
  pay: /^\w{1,32}$/.exec(query.get('pay') ?? '')?.[0],
  isGift: isOn(query, 'gift'),
  isAuto: isOn(query, 'auto'),
  isCode: isOn(query, 'code'),
})

export const configWishIn = (query: URLSearchParams): ConfigWish => {
  const protocol = protocols.find((one) => one === query.get('protocol')) ?? recommended
  const location = idIn(query, 'location')
  const named = (query.get('options') ?? '').split(',')
  const options = switches.filter((name) => named.includes(name))
  return {
    ...wishIn(query),
    location,
    protocol,
    server: idIn(query, 'server'),
    options: moved({ protocol, locationId: location }, options).on,
  }
}

export const cloudWishIn = (query: URLSearchParams): CloudWish => ({
  ...wishIn(query),
  location: idIn(query, 'location'),
  machine: idIn(query, 'machine'),
  name: query.get('name')?.slice(0, longestName) || undefined,
})

type Written = Partial<ConfigWish & CloudWish>

/** The query, with its question mark; empty where all is usual. */
export const searchOf = (wish: Written): string => {
  const query = new URLSearchParams()
  const put = (name: string, value: string | number | undefined): void => {
    if (value !== undefined && value !== '') query.set(name, String(value))
  }
  put('location', wish.location)
  put('machine', wish.machine)
  put('name', wish.name)
  put('protocol', wish.protocol === recommended ? undefined : wish.protocol)
  put('server', wish.server)
  put('options', wish.options?.join(','))
  put('days', wish.days)
  put('pay', wish.pay)
  put('auto', wish.isAuto ? 1 : undefined)
  put('gift', wish.isGift ? 1 : undefined)
  put('code', wish.isCode ? 1 : undefined)
  const text = query.toString().replaceAll('%2C', ',')
  return text && `?${text}`
}
