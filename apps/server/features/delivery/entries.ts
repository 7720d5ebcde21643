import { type Entry, notice } from '@sallyport/domain/delivery/formats/entry'
import type { Language } from '@sallyport/domain/delivery/language'
import type { Vault } from '../../core/kernel/vault.ts'
import { endpointsOf } from '../../core/vpn/access/endpoints.ts'
import type { LiveStanding } from '../../core/vpn/care/standing.ts'
import type { Withheld } from './admission.ts'
import type { DeliveredConfig, DeliveredOption } from './queries.ts'
import { withheldText } from './refusal.ts'

const nothingLive: Readonly<Record<Language, string>> = {
  ru: 'Нет активных конфигураций — купите или продлите в личном кабинете',
  en: 'No active configurations: buy or renew one in your account',
}

interface Live {
  readonly rows: readonly DeliveredConfig[]
  readonly standing: readonly LiveStanding[]
  readonly options: readonly DeliveredOption[]
  readonly withheld: ReadonlyMap<number, Withheld>
}

/** What is sold alone and what is on machines, in the order in which they came. */
const aloneOf = (
  vault: Vault,
  rows: readonly DeliveredConfig[],
  standing: readonly LiveStanding[],
): Entry[] => {
  const endpoints = endpointsOf(vault, rows)
  if (standing.length === 0) return endpoints
  const carried = rows.map(({ id }, at) => ({ id, endpoint: endpoints[at] as Entry }))
  return [...carried, ...standing].sort((one, other) => one.id - other.id).map(({ endpoint }) => endpoint)
}

/** Those alone first, then each option: its configurations in their order, or one entry that says why not. */
export const entriesOf = (
  vault: Vault,
  { rows, standing, options, withheld }: Live,
  language: Language,
): Entry[] => {
  const byTerm = Map.groupBy(rows, (row) => row.term_id)
  // Without those of an option: one that was bought a moment ago has not been asked about its devices yet.
  const alone = rows.filter((row) => row.product_title === null)
  const entries = [
    ...aloneOf(vault, alone, standing),
    ...options.flatMap((option): Entry[] => {
      const reason = withheld.get(option.term_id)
      if (reason !== undefined) return [notice(withheldText(option, reason)[language])]
      return endpointsOf(vault, byTerm.get(option.term_id) ?? [])
    }),
  ]
  return entries.length > 0 ? entries : [notice(nothingLive[language])]
}

/** When the first of what is delivered ends, and the entries are others without anybody's doing. */
export const endOf = ({ rows, standing }: Pick<Live, 'rows' | 'standing'>): number =>
  Math.min(...[...rows, ...standing].map((row) => row.expires_at), Number.POSITIVE_INFINITY)
