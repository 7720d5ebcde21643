import { type Entry, notice } from '@sallyport/domain/delivery/formats/entry'
import type { Language } from '@sallyport/domain/text/language'
import type { Endpoint } from '@sallyport/domain/vpn/endpoint'
import type { Services } from '../../core/call.ts'
import { listDelivered } from '../../core/custom-subscriptions/delivered-items.ts'
import type { Vault } from '../../core/kernel/vault.ts'
import { endpointsOf } from '../../core/vpn/access/endpoints.ts'
import { proxyEndpoint, standaloneProxyTitle } from '../../core/vpn/access/proxies.ts'
import {
  type LiveStandaloneProxy,
  listLiveStandaloneProxies,
} from '../../core/vpn/operations/standalone-proxies.ts'
import { type Withheld, withheldText } from './admission/refusal.ts'
import { type DeliveredConfig, LiveConfigs } from './live-configs.ts'
import type { SubscriptionOwner } from './queries.ts'

/** What a key delivers to a device. */

const nothingLive: Readonly<Record<Language, string>> = {
  ru: 'Нет активных подключений — купите или продлите в личном кабинете',
  en: 'No active connections: buy or renew one in your account',
}

export interface DeliveryRequest {
  readonly owner: SubscriptionOwner
  readonly language: Language
  /** Why the device does not get an option, by its term. */
  readonly withheld: ReadonlyMap<number, Withheld>
  readonly now: number
}

export interface Live {
  readonly id: number
  readonly term_id: number
  readonly expires_at: number
  readonly node_id: number
  /** Its node does not carry it, and nobody else could take it. */
  readonly is_lost: boolean
  readonly endpoint: Endpoint
}

export interface Delivered {
  readonly live: readonly Live[]
  /** And what is withheld. */
  readonly all: readonly Live[]
  /** The same, with a notice in place of each option that is withheld, and of everything where there is nothing. */
  readonly entries: readonly Entry[]
  /** When the first of it ends, and the entries are others without anybody's doing. */
  readonly validUntil: number
}

const liveOf = (vault: Vault, rows: readonly DeliveredConfig[]): Live[] => {
  const endpoints = endpointsOf(vault, rows)
  return rows.map(({ id, term_id, expires_at, node_id, is_lost }, at) => ({
    id,
    term_id,
    expires_at,
    node_id,
    is_lost,
    endpoint: endpoints[at] as Endpoint,
  }))
}

/** What is sold alone and what is on machines, in the order in which they came. */
const aloneOf = (
  vault: Vault,
  rows: readonly DeliveredConfig[],
  standalone: readonly LiveStandaloneProxy[],
): Live[] => {
  const live = liveOf(vault, rows)
  return standalone.length === 0 ? live : [...live, ...standalone].sort((one, other) => one.id - other.id)
}

/** An option that the device does not get is one notice, at its first place. */
const noticeFor = (
  owner: SubscriptionOwner,
  term: number,
  { withheld, language }: DeliveryRequest,
): Entry | undefined => {
  const reason = withheld.get(term)
  const option = owner.options.find(({ term_id }) => term_id === term)
  return reason && option && notice(withheldText(option, reason)[language])
}

const endOf = (rows: readonly { readonly expires_at: number }[]): number =>
  Math.min(...rows.map((row) => row.expires_at), Number.POSITIVE_INFINITY)

interface Place {
  readonly term: number
  readonly live: Live | undefined
}

/** In their order; where a term is withheld, its notice stands for all of it. */
const listed = (places: readonly Place[], asked: DeliveryRequest, validUntil: number): Delivered => {
  const live: Live[] = []
  const entries: Entry[] = []
  const told = new Set<number>()
  for (const place of places) {
    const said = noticeFor(asked.owner, place.term, asked)
    if (said && !told.has(place.term)) entries.push(said)
    told.add(place.term)
    if (said || !place.live) continue
    live.push(place.live)
    entries.push(place.live.endpoint)
  }
  const said = entries.length > 0 ? entries : [notice(nothingLive[asked.language])]
  const all = places.flatMap((place) => place.live ?? [])
  return { live, all, entries: said, validUntil }
}

/** Those alone first, then each option: its configurations in their order, or one entry that says why not. */
const readAccount = async (
  services: Services,
  configs: LiveConfigs,
  asked: DeliveryRequest,
): Promise<Delivered> => {
  const { vault } = services
  const { owner, now } = asked
  const [rows, standalone] = await Promise.all([
    configs.of(asked),
    owner.has_machines ? listLiveStandaloneProxies(services, owner.user_id, now) : [],
  ])
  const alone = rows.filter((row) => row.product_title === null)
  const byTerm = Map.groupBy(rows, (row) => row.term_id)
  const places = [
    ...aloneOf(vault, alone, standalone).map((live) => ({ term: 0, live })),
    // Without one that was bought a moment ago, and has not been asked about its devices yet.
    ...owner.options.flatMap(({ term_id: term }): Place[] => {
      const own = liveOf(vault, byTerm.get(term) ?? [])
      return own.length > 0 ? own.map((live) => ({ term, live })) : [{ term, live: undefined }]
    }),
  ]
  return listed(places, asked, endOf([...rows, ...standalone]))
}

/** What the customer put together, in the customer's order. */
const readCustom = async ({ db, vault }: Services, asked: DeliveryRequest): Promise<Delivered> => {
  const { owner, language, now } = asked
  const rows = await listDelivered(db, owner.id, now, language === 'en')
  const carried = liveOf(
    vault,
    rows.flatMap(({ term_id, expires_at, ...row }) =>
      row.kind === 'config' ? [{ ...row.config, term_id, expires_at }] : [],
    ),
  ).values()
  const isKnown = new Set(owner.options.map(({ term_id }) => term_id))
  const places = rows.flatMap((row): Place[] => {
    const { term_id: term, expires_at } = row
    if (row.kind === 'paused') return [{ term, live: undefined }]
    if (row.kind === 'config') {
      const live = carried.next().value as Live
      // As above, of an option that was bought a moment ago.
      return row.config.product_title !== null && !isKnown.has(term) ? [] : [{ term, live }]
    }
    const { proxy, title, node_id, is_lost } = row
    const endpoint = { ...proxyEndpoint(vault, proxy), title: title ?? standaloneProxyTitle(proxy.id) }
    return [{ term, live: { id: proxy.id, term_id: term, expires_at, node_id, is_lost, endpoint } }]
  })
  return listed(places, asked, endOf(rows))
}

export class DeliveryReader {
  readonly #services: Services
  readonly #configs: LiveConfigs

  constructor(services: Services) {
    this.#services = services
    this.#configs = new LiveConfigs(services.db)
  }

  read(asked: DeliveryRequest): Promise<Delivered> {
    return asked.owner.kind === 'custom'
      ? readCustom(this.#services, asked)
      : readAccount(this.#services, this.#configs, asked)
  }
}
