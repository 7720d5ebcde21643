import { BlockList, isIP } from 'node:net'
import type { PaymentFact, WebhookVerdict } from '../../../ports/payments.ts'
import { idPattern } from './answers.ts'

/** YooKassa does not sign what it sends: the caller's address is checked, and only a payment's name is taken. */

/** Where YooKassa calls from, as it publishes. */
export const yooKassaNetworks: readonly string[] = [
  '185.71.76.0/27',
  '185.71.77.0/27',
  '77.75.153.0/25',
  '77.75.154.128/25',
  '77.75.156.11',
  '77.75.156.35',
  '2a02:5180::/32',
]

interface Notification {
  readonly type?: unknown
  readonly event?: unknown
  readonly object?: { readonly id?: unknown; readonly payment_id?: unknown } | null
}

interface Announced {
  /** The field of the object that names the payment. */
  readonly field: 'id' | 'payment_id'
  readonly for: 'received' | 'canceled' | 'refunded'
}

const events = new Map<unknown, Announced>([
  ['payment.succeeded', { field: 'id', for: 'received' }],
  ['payment.canceled', { field: 'id', for: 'canceled' }],
  ['refund.succeeded', { field: 'payment_id', for: 'refunded' }],
])

const parse = (body: string): Notification | null => {
  try {
    return JSON.parse(body) as Notification | null
  } catch {
    return null
  }
}

const isId = (id: unknown): id is string => typeof id === 'string' && idPattern.test(id)

/** Who may call. Throws when one of them is not an address or a network. */
export const callersFrom = (networks: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIP(address)
    const bits = family === 4 ? 32 : 128
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
    if (family === 0 || length < 0 || length > bits) {
      throw new Error(`not an address or a network: ${network}`)
    }
    list.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

export const judgeNotification = (callers: BlockList, ip: string, body: string): WebhookVerdict => {
  const family = isIP(ip)
  if (family === 0 || !callers.check(ip, family === 4 ? 'ipv4' : 'ipv6')) {
    return { kind: 'forged', reason: `${ip} is not an address of YooKassa` }
  }
  const { type, event, object } = parse(body) ?? {}
  if (type !== 'notification' || typeof event !== 'string') {
    return { kind: 'forged', reason: 'not a notification' }
  }
  const announced = events.get(event)
  if (announced === undefined) return { kind: 'ignored' }
  const id = object?.id
  if (!isId(id) || !isId(object?.[announced.field])) return { kind: 'forged', reason: 'names no payment' }
  return { kind: 'event', eventId: `${event}:${id}` }
}

export const readNotification = (body: string): readonly PaymentFact[] => {
  const { event, object } = parse(body) ?? {}
  const announced = events.get(event)
  const providerPaymentId = announced && object?.[announced.field]
  return announced && isId(providerPaymentId) ? [{ kind: 'look', providerPaymentId, for: announced.for }] : []
}
