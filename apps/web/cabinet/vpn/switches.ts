import type { Protocol, SwitchName, SwitchSet } from '@sallyport/contract/shapes'
import { carrySwitches, switchProblems, wholeTrafficLocationId } from '@sallyport/domain/vpn/switch-rules'

/** Options of a configuration, switched one at a time. What goes with what, the domain's rules say; nothing of them is written here. */

export const switches = [
  'use_extended_settings',
  'use_xhttp',
  'use_grpc',
  'use_warp',
  'enable_family_filter',
  'block_bittorrent',
  'block_local_network',
  'change_sni',
  'disable_sni',
  'disable_reality',
  'disable_flow_reality',
  'pass_all_traffic_through_vpn',
] as const satisfies readonly SwitchName[]

/** Where the options are for. */
export interface Place {
  readonly protocol: Protocol
  readonly locationId: number | undefined
}

export interface Switched {
  /** What is on afterwards. */
  readonly on: readonly SwitchName[]
  /** What went on with it, because it is needed. */
  readonly added: readonly SwitchName[]
  /** What went off, because it does not go with it. */
  readonly dropped: readonly SwitchName[]
}

const base: SwitchName = 'use_extended_settings'
const anywhere = 0

const settled = (
  { protocol, locationId = anywhere }: Place,
  kept: readonly SwitchName[],
  named: SwitchSet,
): Switched | undefined => {
  const carried = carrySwitches({ protocol, locationId, kept, named })
  if ('problems' in carried) return undefined
  const on = switches.filter((name) => carried.options[name])
  return {
    on,
    added: on.filter((name) => !kept.includes(name)),
    dropped: kept.filter((name) => !on.includes(name)),
  }
}

/** One is switched on or off, and the others follow; undefined where it cannot be had. */
export const switched = (
  place: Place,
  kept: readonly SwitchName[],
  name: SwitchName,
  isOn: boolean,
): Switched | undefined => {
  const others = kept.filter((one) => one !== name)
  const found =
    settled(place, others, { [name]: isOn }) ?? settled(place, others, { [base]: true, [name]: isOn })
  return (
    found && {
      ...found,
      added: found.added.filter((one) => one !== name),
      dropped: found.dropped.filter((one) => one !== name),
    }
  )
}

/** Another place: what it cannot carry goes off. */
export const moved = (place: Place, kept: readonly SwitchName[]): Switched =>
  settled(place, kept, {}) ?? { on: [], added: [], dropped: kept }

/** Whether the protocol has such options at all. */
export const hasSwitches = (protocol: Protocol): boolean =>
  switchProblems({ protocol, locationId: undefined, options: { [base]: true } }).length === 0

/** What stands in its way: the protocol, or the location too. */
export const obstacleOf = (place: Place, name: SwitchName): 'protocol' | 'location' | undefined => {
  if (switched(place, [], name, true)) return undefined
  if (switched({ ...place, locationId: wholeTrafficLocationId }, [], name, true)) return 'location'
  return switched({ ...place, protocol: 'vless' }, [], name, true) ? 'protocol' : 'location'
}
