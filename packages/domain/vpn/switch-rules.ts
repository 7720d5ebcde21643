import type { Protocol, SwitchName, SwitchSet } from '@sallyport/contract/shapes'

/** The specification's option rules, as one function: everything that is wrong with a choice of options. */

export interface SwitchProblem {
  readonly path: string
  readonly problem: string
}

const incompatiblePairs: readonly (readonly [SwitchName, SwitchName])[] = [
  ['use_xhttp', 'disable_flow_reality'],
  ['use_grpc', 'use_xhttp'],
  ['use_grpc', 'disable_flow_reality'],
]

const incompatibleWithOwnSite: readonly SwitchName[] = ['change_sni', 'disable_sni']

const needExtendedSettings: readonly SwitchName[] = [
  'use_warp',
  'disable_reality',
  'change_sni',
  'block_local_network',
  'enable_family_filter',
  'block_bittorrent',
  'pass_all_traffic_through_vpn',
  'use_xhttp',
  'use_grpc',
]

/** The only location where pass_all_traffic_through_vpn has something to change. */
export const wholeTrafficLocationId = 18

export interface SwitchChoice {
  /** Or one that has no options at all. */
  readonly protocol: Protocol | 'mtproto'
  readonly locationId: number | undefined
  readonly options: SwitchSet
}

export const switchProblems = ({ protocol, locationId, options }: SwitchChoice): SwitchProblem[] => {
  const problems: SwitchProblem[] = []
  const add = (path: SwitchName, problem: string) => problems.push({ path, problem })
  for (const [first, second] of incompatiblePairs) {
    if (options[first] && options[second]) add(first, `cannot be combined with ${second}`)
  }
  if (protocol === 'vless-2410') {
    for (const name of incompatibleWithOwnSite) {
      if (options[name]) add(name, 'cannot be combined with protocol vless-2410')
    }
  }
  for (const name of needExtendedSettings) {
    if (options[name] && !options.use_extended_settings) add(name, 'requires use_extended_settings=true')
  }
  if (options.use_extended_settings && protocol !== 'vless' && protocol !== 'vless-2410') {
    add('use_extended_settings', 'requires protocol vless or vless-2410')
  }
  if (
    options.pass_all_traffic_through_vpn &&
    (locationId !== wholeTrafficLocationId || protocol !== 'vless')
  ) {
    add('pass_all_traffic_through_vpn', `requires location_id=${wholeTrafficLocationId} and protocol vless`)
  }
  return problems
}

export interface SwitchChange {
  readonly protocol: Protocol
  readonly locationId: number
  /** What is on now. */
  readonly kept: readonly SwitchName[]
  /** What the customer says; what is not named stays as it is where it can. */
  readonly named: SwitchSet
}

/** The others are judged by whether it is there, so it is decided first. */
const keptFirst: SwitchName = 'use_extended_settings'

const isNew = (problem: SwitchProblem, known: readonly SwitchProblem[]): boolean =>
  !known.some((one) => one.path === problem.path && one.problem === problem.problem)

/**
 * The options after a change, or what is wrong with those it names. An option that is kept never stands in the way
 * of one that is named: it goes off where it would break a rule.
 */
export const carrySwitches = (
  change: SwitchChange,
): { readonly options: SwitchSet } | { readonly problems: SwitchProblem[] } => {
  const { protocol, locationId, kept, named } = change
  const problemsOf = (options: SwitchSet) => switchProblems({ protocol, locationId, options })
  let options: SwitchSet = named
  for (const name of kept.toSorted((a, b) => Number(b === keptFirst) - Number(a === keptFirst))) {
    if (named[name] !== undefined) continue
    const known = problemsOf(options)
    const wider = { ...options, [name]: true }
    if (!problemsOf(wider).some((problem) => isNew(problem, known))) options = wider
  }
  const problems = problemsOf(options)
  return problems.length > 0 ? { problems } : { options }
}
