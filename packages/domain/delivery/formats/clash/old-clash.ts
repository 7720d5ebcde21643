import type { Entry } from '../entry.ts'
import { type ClashProxy, mihomoProxy } from './mihomo.ts'

/** The old Clash knows neither uTLS nor pins: what hangs on either is left out, not sent unchecked. */
const trojan = (proxy: ClashProxy | null): ClashProxy | null => {
  if (proxy === null || 'fingerprint' in proxy || 'reality-opts' in proxy || 'name-cert-verify' in proxy)
    return null
  const { 'client-fingerprint': _unknown, tls: _always, ...rest } = proxy
  return rest
}

/** Null for what the old Clash cannot speak: VLESS, Hysteria 2, WireGuard, the methods of 2022, certificates of our own. */
export const clashProxy = (entry: Entry): ClashProxy | null => {
  switch (entry.protocol) {
    case 'trojan':
      return trojan(mihomoProxy(entry))
    case 'shadowsocks':
      return entry.method.startsWith('2022-') ? null : mihomoProxy(entry)
    case 'http':
    case 'socks5':
    case 'notice':
      return mihomoProxy(entry)
    default:
      return null
  }
}
