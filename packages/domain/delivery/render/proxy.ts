import type { ProxyEndpoint } from '../../vpn/endpoint.ts'
import { authority, encoded } from './url-parts.ts'

/** Without a title, because programs other than VPN clients take this address too. */
export const proxyLink = (endpoint: ProxyEndpoint): string =>
  `${endpoint.protocol}://${encoded(endpoint.user)}:${encoded(endpoint.password)}@${authority(endpoint)}`
