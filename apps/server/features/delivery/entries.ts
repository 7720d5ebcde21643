import type { Language } from '@sallyport/domain/delivery/language'
import { connectionUrl } from '@sallyport/domain/delivery/render/link'
import { placeholderLink } from '@sallyport/domain/delivery/render/placeholder'
import type { Vault } from '../../core/kernel/vault.ts'
import { endpointsOf } from '../../core/vpn/access/endpoints.ts'
import type { Standing } from '../../core/vpn/care/standing.ts'
import type { Withheld } from './admission.ts'
import type { DeliveredConfig, DeliveredOption } from './queries.ts'
import { withheldText } from './refusal.ts'

/** What is sold alone first, then each option: its configurations in their order, or one entry that says why not. */
export const linksOf = (
  vault: Vault,
  rows: readonly DeliveredConfig[],
  standing: readonly Standing[],
  options: readonly DeliveredOption[],
  withheld: ReadonlyMap<number, Withheld>,
  language: Language,
): string[] => {
  const byTerm = Map.groupBy(rows, (row) => row.term_id)
  const links = (some: readonly DeliveredConfig[]) => endpointsOf(vault, some).map(connectionUrl)
  // Without those of an option: one that was bought a moment ago has not been asked about its devices yet.
  const alone = rows.filter((row) => row.product_title === null)
  const withStanding = () => {
    const urls = links(alone)
    const all = [
      ...alone.map(({ id }, at) => ({ id, url: urls[at] as string })),
      ...standing.map(({ id, connection_url: url }) => ({ id, url })),
    ]
    return all.sort((one, other) => one.id - other.id).map(({ url }) => url)
  }
  return [
    ...(standing.length === 0 ? links(alone) : withStanding()),
    ...options.flatMap((option) => {
      const reason = withheld.get(option.term_id)
      if (reason !== undefined) return placeholderLink(withheldText(option, reason)[language])
      return links(byTerm.get(option.term_id) ?? [])
    }),
  ]
}
