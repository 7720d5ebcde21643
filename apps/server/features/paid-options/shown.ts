import type {
  AddedConfig,
  PaidOption,
  PaidOptionConfig,
} from '@sallyport/contract/customer/paid-options/shapes'
import type { Vault } from '../../core/kernel/vault.ts'
import { optionStatus } from '../../core/options/traffic-usage.ts'
import { originalTitle } from '../../core/vpn/access/endpoints.ts'
import type { ShownAccess } from '../../core/vpn/access/reads.ts'
import { toSettledConnections } from '../../core/vpn/operations/config-view.ts'
import type { listWithConfigs, OptionConfig, OwnOption } from './queries.ts'

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
  index: row.index as number,
})

const toConfigs = (vault: Vault, rows: readonly OptionConfig[], isOn: boolean): PaidOptionConfig[] => {
  const connections = toSettledConnections(vault, rows)
  return rows.map((row, at) => ({
    ...common(row),
    ...(connections[at] as (typeof connections)[number]),
    index: row.index as number,
    is_online: isOn && row.is_online,
    title: row.position === null ? row.title : (row.title ?? originalTitle(row)),
    original_title: originalTitle(row),
    custom_title: row.title,
    is_added: row.position === null,
  }))
}

export const toOption = (
  vault: Vault,
  { option, configs }: Awaited<ReturnType<typeof listWithConfigs>>[number],
): PaidOption => ({
  option_id: option.option_id,
  status: optionStatus({ state: 'active', paused: option.paused }),
  expires_at: option.expires_at,
  configs: toConfigs(vault, configs, option.paused === null),
  auto_renewal: option.auto_renewal,
  auto_renewal_days: option.auto_renewal_days,
})

/** Its links come back with a renewal. */
export const toEndedOption = ({
  option_id,
  expires_at,
  auto_renewal,
  auto_renewal_days,
}: OwnOption): PaidOption => ({
  option_id,
  status: 'expired',
  expires_at,
  configs: [],
  auto_renewal,
  auto_renewal_days,
})
