import { type Entry, notice } from '@sallyport/domain/delivery/formats/entry'
import type { Language } from '@sallyport/domain/delivery/language'
import type { Endpoint } from '@sallyport/domain/vpn/endpoint'
import type { Services } from '../../core/call.ts'
import type { Vault } from '../../core/kernel/vault.ts'
import { endpointsOf } from '../../core/vpn/access/endpoints.ts'
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
  /** The same, with a notice in place of each option that is withheld, and of everything where there is nothing. */
  readonly entries: readonly Entry[]
  /** When the first of it ends, and the entries are others without anybody's doing. */
  readonly validUntil: number
}

const liveOf = (vault: Vault, rows: readonly DeliveredConfig[]): Live[] => {
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

/** Those alone first, then each option: its configurations in their order, or one entry that says why not. */
export const readDelivered = async (services: Services, asked: Asked): Promise<Delivered> => {
  const { db, vault } = services
  const { owner, language, withheld, now } = asked
  const [rows, standing] = await Promise.all([
    listLiveConfigs(db, owner.user_id, now, language === 'en'),
    owner.has_machines ? listLiveStanding(services, owner.user_id, now) : [],
  ])
  // Without those of an option: one that was bought a moment ago has not been asked about its devices yet.
  const alone = aloneOf(
    vault,
    rows.filter((row) => row.product_title === null),
    standing,
  )
  const live = [...alone]
  const entries: Entry[] = alone.map(({ endpoint }) => endpoint)
  const byTerm = Map.groupBy(rows, (row) => row.term_id)
  for (const option of owner.options) {
    const reason = withheld.get(option.term_id)
    if (reason !== undefined) {
      entries.push(notice(withheldText(option, reason)[language]))
      continue
    }
    const own = liveOf(vault, byTerm.get(option.term_id) ?? [])
    live.push(...own)
    entries.push(...own.map(({ endpoint }) => endpoint))
  }
  const ends = [...rows, ...standing].map((row) => row.expires_at)
  return {
    live,
    entries: entries.length > 0 ? entries : [notice(nothingLive[language])],
    validUntil: Math.min(...ends, Number.POSITIVE_INFINITY),
  }
}
