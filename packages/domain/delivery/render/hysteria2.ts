import type { Hysteria2Endpoint } from '../../vpn/endpoint.ts'
import { authority, encoded, queryOf } from './url-parts.ts'

export const hysteria2Link = (endpoint: Hysteria2Endpoint): string => {
  const { pinSha256 } = endpoint
  const query = queryOf([
    ['obfs', 'salamander'],
    ['obfs-password', endpoint.obfsPassword],
    ['sni', endpoint.serverName],
    // The pin is checked besides the authority, not instead of it, unless the authority is waived.
    ['insecure', pinSha256 === null ? null : '1'],
    ['pinSHA256', pinSha256],
  ])
  return `hysteria2://${encoded(endpoint.auth)}@${authority(endpoint)}/?${query}#${encoded(endpoint.title)}`
}
