import type { BridgeType, Protocol } from '@sallyport/contract/shapes'

export interface End {
  readonly type: BridgeType
  readonly id: number
}

const nameOf = ({ type, id }: End): string => `${type}:${id}`

/** Whether traffic that enters at `entry` and goes on to `exit` would come back, over the bridges there are. */
export const bridgeMakesLoop = (
  bridges: readonly { readonly entry: End; readonly exit: End }[],
  entry: End,
  exit: End,
): boolean => {
  const next = new Map(bridges.map((bridge) => [nameOf(bridge.entry), nameOf(bridge.exit)]))
  const seen = new Set<string>()
  for (let at: string | undefined = nameOf(exit); at !== undefined && !seen.has(at); at = next.get(at)) {
    if (at === nameOf(entry)) return true
    seen.add(at)
  }
  return false
}

/** Only Xray can send one customer's traffic on, and it carries neither WireGuard. */
export const canBeginBridge = (protocol: Protocol): boolean =>
  protocol !== 'wg' && protocol !== 'amnezia-wg-2'

/** Xray has to connect to it, which leaves out AmneziaWG. */
export const canEndBridge = (protocol: Protocol): boolean => protocol !== 'amnezia-wg-2'
