import type { Protocol, ProxyProtocol } from '@sallyport/contract/shapes'

/** Whether traffic that enters at `entry` and goes on to `exit` would come back, over the bridges there are. */
export const bridgeMakesLoop = (
  bridges: readonly { readonly entry: number; readonly exit: number }[],
  entry: number,
  exit: number,
): boolean => {
  const next = new Map(bridges.map((bridge) => [bridge.entry, bridge.exit]))
  const seen = new Set<number>()
  for (let at: number | undefined = exit; at !== undefined && !seen.has(at); at = next.get(at)) {
    if (at === entry) return true
    seen.add(at)
  }
  return false
}

/** A Telegram proxy carries Telegram alone. */
const neitherEnd: readonly string[] = ['amnezia-wg-2', 'mtproto']

/** Only Xray can send one customer's traffic on, and it carries neither WireGuard. */
export const canBeginBridge = (protocol: Protocol | ProxyProtocol): boolean =>
  protocol !== 'wg' && !neitherEnd.includes(protocol)

/** Xray has to connect to it, which leaves out AmneziaWG. */
export const canEndBridge = (protocol: Protocol | ProxyProtocol): boolean => !neitherEnd.includes(protocol)
