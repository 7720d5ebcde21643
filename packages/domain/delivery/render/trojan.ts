import type { TrojanEndpoint } from '../../vpn/endpoint.ts'
import { plainTcp } from './client-tls.ts'
import { streamParameters } from './stream-parameters.ts'
import { authority, encoded, queryOf } from './url-parts.ts'

export const trojanLink = (endpoint: TrojanEndpoint): string => {
  const query = queryOf(streamParameters(plainTcp, endpoint.security))
  return `trojan://${encoded(endpoint.password)}@${authority(endpoint)}?${query}#${encoded(endpoint.title)}`
}
