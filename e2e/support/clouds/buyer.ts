import { isDeepStrictEqual } from 'node:util'
import { locationId } from '../../../test/support/clouds/sold-machines.ts'
import { type Answer, call } from '../call.ts'

/** Somebody who rents machines and remembers every key and every answer. */

export type Kind =
  | 'order'
  | 'order by link'
  | 'order by promocode'
  | 'renewal'
  | 'renewal by link'
  | 'reboot'
  | 'configuration'
  | 'proxy'

interface Ask {
  readonly kind: Kind
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>> | undefined
}

export interface Deal extends Ask {
  readonly key: string
  attempts: number
  outcome: 'open' | 'done' | 'refused'
  paymentId?: string
  /** The link was paid, or came to its end unpaid. */
  settled?: 'paid' | 'late'
  data?: unknown
}

export interface Identity {
  readonly id: number
  readonly apiKey: string
  readonly openingRub: number
  readonly gifts: readonly string[]
}

/** What may be said no to, with nothing done: no stock, ended or not ready meanwhile. */
const mayBeRefused: Readonly<Record<string, readonly Kind[]>> = {
  NO_SERVER_AVAILABLE: ['order', 'order by link', 'order by promocode', 'configuration', 'proxy'],
  NOT_FOUND: ['renewal', 'renewal by link', 'reboot', 'configuration', 'proxy'],
  BAD_REQUEST: ['reboot', 'configuration', 'proxy'],
}

export const tariffs = [
  { configuration: 1, id: 31, days: 30, priceRub: 500 },
  { configuration: 2, id: 41, days: 30, priceRub: 900 },
] as const

const root = '/v1/cloud-servers'
const balance = 1
const links = [2, 3, 4, 5, 6]
const mostServers = 5
const shareThatHangsUp = 0.15
const maxImpatienceMs = 150

/** The link was never heard of, and came to its end meanwhile, as minutes are seconds here: the order stands, unpaid. */
const isTooLate = ({ kind }: Deal, { message, details }: Answer['body']): boolean =>
  kind.endsWith('by link') && message === 'CONFLICT' && /time is over/.test(details?.[0]?.problem)

interface Server {
  readonly id: number
  readonly status: string
}

export class Buyer {
  readonly identity: Identity
  readonly deals: Deal[] = []
  readonly random: () => number
  /** Answers that nothing explains. */
  readonly unexpected: unknown[] = []
  retried = 0

  constructor(identity: Identity, random: () => number) {
    this.identity = identity
    this.random = random
  }

  get isBusy(): boolean {
    return this.#open !== undefined || this.#unpaid !== undefined
  }

  /** What is unanswered goes first, then what is to be paid, then something new. */
  async step(url: string, { isNew = true, isPatient = false } = {}): Promise<void> {
    const isHasty = !isPatient && this.random() < shareThatHangsUp
    const patienceMs = isHasty ? Math.ceil(this.random() * maxImpatienceMs) : 10_000
    const unpaid = this.#unpaid
    if (this.#open) return this.#send(url, this.#open, patienceMs)
    if (unpaid) return this.#pay(url, unpaid, patienceMs)
    if (isNew) await this.#begin(url, patienceMs)
  }

  /** A key that was used gives its answer again and changes nothing. */
  async repeatAll(url: string): Promise<void> {
    const ordered = this.deals.filter(
      ({ kind, outcome, data }) => outcome === 'done' && data !== undefined && /^(order|renewal)/.test(kind),
    )
    for (const { path, body, key, data } of ordered) {
      const headers = { 'idempotency-key': key }
      const again = await this.#call(url, 'POST', path, { body, headers, patienceMs: 10_000 })
      if (again.headers.get('idempotency-replayed') === 'true' && isDeepStrictEqual(again.body.data, data))
        continue
      this.unexpected.push({ key, repeated: again.body })
    }
  }

  /** A code whose machine could not be had works once more. */
  async useAgain(url: string, refunded: ReadonlySet<number>): Promise<void> {
    const given = this.deals.filter(({ kind, data }) => {
      return kind === 'order by promocode' && refunded.has((data as Server | undefined)?.id ?? 0)
    })
    for (const { kind, path, body } of given) await this.#ask(url, { kind, path, body }, 10_000)
  }

  get #open(): Deal | undefined {
    return this.deals.findLast((deal) => deal.outcome === 'open')
  }

  get #unpaid(): Deal | undefined {
    return this.deals.find((deal) => deal.paymentId !== undefined && !deal.settled)
  }

  async #begin(url: string, patienceMs: number): Promise<void> {
    const listed = await this.#call(url, 'GET', root, { patienceMs: 5000 }).catch(() => undefined)
    if (listed?.body.status !== true) return
    await this.#ask(url, this.#choose(listed.body.data), patienceMs)
  }

  async #ask(url: string, ask: Ask, patienceMs: number): Promise<void> {
    const deal: Deal = {
      ...ask,
      key: `${this.identity.id}-${this.deals.length}`,
      attempts: 0,
      outcome: 'open',
    }
    this.deals.push(deal)
    await this.#send(url, deal, patienceMs)
  }

  #choose(servers: readonly Server[]): Ask {
    const server = this.#oneOf(servers)
    const dice = this.random()
    if (!server || (servers.length < mostServers && dice < 0.55)) return this.#order()
    if (dice < 0.75) return this.#renew(server.id)
    if (dice < 0.87) return { kind: 'reboot', path: `${root}/${server.id}/reboot` }
    return dice < 0.94
      ? { kind: 'configuration', path: `${root}/${server.id}/configs`, body: { protocol: 'vless' } }
      : { kind: 'proxy', path: `${root}/${server.id}/proxies`, body: { protocol: 'socks5' } }
  }

  #order(): Ask {
    const { configuration, id: tariff_id } = this.#oneOf(tariffs) as (typeof tariffs)[number]
    const what = { location_id: locationId, tariff_config_id: configuration }
    const used = this.deals.map(({ body }) => body?.promocode)
    const promocode = this.identity.gifts.find((gift) => !used.includes(gift))
    const dice = this.random()
    if (promocode !== undefined && dice < 0.2) {
      return { kind: 'order by promocode', path: root, body: { location_id: locationId, promocode } }
    }
    const kind = dice < 0.6 ? 'order' : 'order by link'
    return { kind, path: root, body: { ...what, tariff_id, payment_method_id: this.#methodOf(kind) } }
  }

  #renew(server_id: number): Ask {
    const kind = this.random() < 0.5 ? 'renewal' : 'renewal by link'
    const body = { server_id, days: tariffs[0].days, payment_method_id: this.#methodOf(kind) }
    return { kind, path: `${root}/renewal`, body }
  }

  #methodOf(kind: Kind): number {
    return kind.endsWith('by link') ? (this.#oneOf(links) as number) : balance
  }

  #oneOf<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.random() * items.length)]
  }

  #call(
    url: string,
    method: string,
    path: string,
    more: { body?: unknown; headers?: Record<string, string>; patienceMs: number },
  ) {
    return call(url, method, path, { token: this.identity.apiKey, ...more })
  }

  async #send(url: string, deal: Deal, patienceMs: number): Promise<void> {
    if (deal.attempts++ > 0) this.retried++
    const { path, body, key } = deal
    const headers = { 'idempotency-key': key }
    const answer = await this.#call(url, 'POST', path, { body, headers, patienceMs }).catch(() => undefined)
    if (!answer || answer.status === 429 || answer.status === 503) return
    if (answer.body.status === true) {
      deal.outcome = 'done'
      deal.data = answer.body.data
      const { link } = answer.body.data ?? {}
      if (link !== undefined) deal.paymentId = new URL(link).pathname.split('/').at(-1) as string
    } else this.#refused(deal, answer)
  }

  #refused(deal: Deal, { body }: Answer): void {
    if (isTooLate(deal, body)) {
      deal.outcome = 'done'
      deal.settled = 'late'
      return
    }
    deal.outcome = 'refused'
    if (!mayBeRefused[body.message]?.includes(deal.kind)) {
      this.unexpected.push({ kind: deal.kind, asked: deal.body, said: body })
    }
  }

  /** The page has no keys: it is posted again, and says how the payment stands. A slow machine may come too late for it. */
  async #pay(url: string, deal: Deal, patienceMs: number): Promise<void> {
    const asked = call(url, 'POST', `/pay/${deal.paymentId}`, { body: { action: 'pay' }, patienceMs })
    const answer = await asked.catch(() => undefined)
    if (!answer || answer.status === 429 || answer.status === 503) return
    if (answer.body.state === 'succeeded') deal.settled = 'paid'
    else if (answer.body.state === 'expired') deal.settled = 'late'
    else this.unexpected.push({ paying: deal.kind, said: answer.body })
  }
}
