import type {
  AddedConfig,
  PaidOption,
  PaidOptionConfig,
} from '@sallyport/contract/customer/paid-options/shapes'
import type { Vault } from '../../core/kernel/vault.ts'
import { originalTitle } from '../../core/vpn/access/endpoints.ts'
import type { ShownAccess } from '../../core/vpn/access/reads.ts'
import { toSettledConnections } from '../../core/vpn/care/shown.ts'
import type { listWithConfigs, OptionConfig } from './queries.ts'

/** Options and their configurations as customers see them. */

const common = (row: ShownAccess) => ({
  id: row.id,
  protocol: row.protocol,
  created_at: row.created_at,
  is_extended_settings_enabled: row.options.includes('use_extended_settings'),
  is_online: row.is_online,
})

export const toAdded = (vault: Vault, row: ShownAccess): AddedConfig => ({
  ...common(row),
  ...(toSettledConnections(vault, [row])[0] as ReturnType<typeof toSettledConnections>[number]),
  title: row.title,
})

/** The option's own keep their index; those that were added are counted on from the last of them. */
const toConfigs = (vault: Vault, rows: readonly OptionConfig[]): PaidOptionConfig[] => {
  const connections = toSettledConnections(vault, rows)
  let next = 1 + Math.max(-1, ...rows.map((row) => row.position ?? -1))
  return rows.map((row, at) => ({
    ...common(row),
    ...(connections[at] as (typeof connections)[number]),
    index: row.position ?? next++,
    title: row.position === null ? row.title : (row.title ?? originalTitle(row)),
    original_title: originalTitle(row),
    custom_title: row.title,
  }))
}

export const toOption = (
  vault: Vault,
  { option, configs }: Awaited<ReturnType<typeof listWithConfigs>>[number],
): PaidOption => ({
  option_id: option.option_id,
  expires_at: option.expires_at,
  configs: toConfigs(vault, configs),
  auto_renewal: option.auto_renewal,
  auto_renewal_days: option.auto_renewal_days,
})
