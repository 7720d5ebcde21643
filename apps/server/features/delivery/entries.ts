import { type Entry, notice } from '@sallyport/domain/delivery/formats/entry'
import type { Language } from '@sallyport/domain/delivery/language'
import type { Endpoint } from '@sallyport/domain/vpn/endpoint'
import type { Services } from '../../core/call.ts'
import type { Vault } from '../../core/kernel/vault.ts'
import { listDelivered } from '../../core/subscriptions/delivered.ts'
import type { CarriedConfig } from '../../core/vpn/access/carried.ts'
import { endpointsOf } from '../../core/vpn/access/endpoints.ts'
import { proxyEndpoint, standingTitle } from '../../core/vpn/access/proxies.ts'
import { type LiveStanding, listLiveStanding } from '../../core/vpn/care/standing.ts'
import type { Withheld } from './admission.ts'
import { type DeliveredConfig, listLiveConfigs, type SubscriptionOwner } from './queries.ts'
import { withheldText } from './refusal.ts'

/** What a key delivers to a device. */

const nothingLive: Readonly<Record<Language, string>> = {
  ru: 'Нет активных конфигураций — купите или продлите в личном кабинете',
  en: 'No active configurations: buy or renew one in your account',
}

export interface Asked {
  readonly owner: SubscriptionOwner
  readonly language: Language
  /** Why the device does not get an option, by its term. */
  readonly withheld: ReadonlyMap<number, Withheld>
  readonly now: number
}

interface Live {
  readonly id: number
  readonly node_id: number
  readonly endpoint: Endpoint
}

export interface Delivered {
  readonly live: readonly Live[]
  /** The terms they are of, options by their own and all others by any. */
  readonly terms: ReadonlySet<number>
  /** The same, with a notice in place of each option that is withheld, and of everything where there is nothing. */
  readonly entries: readonly Entry[]
  /** When the first of it ends, and the entries are others without anybody's doing. */
  readonly validUntil: number
}

const liveOf = (vault: Vault, rows: readonly CarriedConfig[]): Live[] => {
  const endpoints = endpointsOf(vault, rows)
  return rows.map(({ id, node_id }, at) => ({ id, node_id, endpoint: endpoints[at] as Endpoint }))
}

/** What is sold alone and what is on machines, in the order in which they came. */
const aloneOf = (
  vault: Vault,
  rows: readonly DeliveredConfig[],
  standing: readonly LiveStanding[],
): Live[] => {
  const live = liveOf(vault, rows)
  return standing.length === 0 ? live : [...live, ...standing].sort((one, other) => one.id - other.id)
}

/** An option that the device does not get is one notice, at its first place. */
const noticeFor = (
  owner: SubscriptionOwner,
  term: number,
  { withheld, language }: Asked,
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
const listed = (places: readonly Place[], asked: Asked, validUntil: number): Delivered => {
  const live: Live[] = []
  const entries: Entry[] = []
  const told = new Set<number>()
  const terms = new Set<number>()
  for (const place of places) {
    const said = noticeFor(asked.owner, place.term, asked)
    if (said && !told.has(place.term)) entries.push(said)
    told.add(place.term)
    if (said || !place.live) continue
    live.push(place.live)
    terms.add(place.term)
    entries.push(place.live.endpoint)
  }
  const said = entries.length > 0 ? entries : [notice(nothingLive[asked.language])]
  return { live, terms, entries: said, validUntil }
}

/** Those alone first, then each option: its configurations in their order, or one entry that says why not. */
const readAccount = async (services: Services, asked: Asked): Promise<Delivered> => {
  const { db, vault } = services
  const { owner, language, now } = asked
  const [rows, standing] = await Promise.all([
    listLiveConfigs(db, owner.user_id, now, language === 'en'),
    owner.has_machines ? listLiveStanding(services, owner.user_id, now) : [],
  ])
  const alone = rows.filter((row) => row.product_title === null)
  const byTerm = Map.groupBy(rows, (row) => row.term_id)
  const places = [
    ...aloneOf(vault, alone, standing).map((live) => ({ term: 0, live })),
    // Without one that was bought a moment ago, and has not been asked about its devices yet.
    ...owner.options.flatMap(({ term_id: term }): Place[] => {
      const own = liveOf(vault, byTerm.get(term) ?? [])
      return own.length > 0 ? own.map((live) => ({ term, live })) : [{ term, live: undefined }]
    }),
  ]
  return listed(places, asked, endOf([...rows, ...standing]))
}

/** What the customer put together, in the customer's order. */
const readCustom = async ({ db, vault }: Services, asked: Asked): Promise<Delivered> => {
  const { owner, language, now } = asked
  const rows = await listDelivered(db, owner.id, now, language === 'en')
  const carried = liveOf(
    vault,
    rows.flatMap((row) => (row.kind === 'config' ? [row.config] : [])),
  ).values()
  const isKnown = new Set(owner.options.map(({ term_id }) => term_id))
  const places = rows.flatMap((row): Place[] => {
    const { term_id: term } = row
    if (row.kind === 'paused') return [{ term, live: undefined }]
    if (row.kind === 'config') {
      const live = carried.next().value as Live
      // As above, of an option that was bought a moment ago.
      return row.config.product_title !== null && !isKnown.has(term) ? [] : [{ term, live }]
    }
    const { proxy, title, node_id } = row
    const endpoint = { ...proxyEndpoint(vault, proxy), title: title ?? standingTitle(proxy.id) }
    return [{ term, live: { id: proxy.id, node_id, endpoint } }]
  })
  return listed(places, asked, endOf(rows))
}

export const readDelivered = (services: Services, asked: Asked): Promise<Delivered> =>
  asked.owner.kind === 'custom' ? readCustom(services, asked) : readAccount(services, asked)
