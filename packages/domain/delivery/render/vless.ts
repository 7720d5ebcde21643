import type { VlessEndpoint } from '../../vpn/endpoint.ts'
import { streamParameters } from './stream-parameters.ts'
import { authority, encoded, queryOf } from './url-parts.ts'

export const vlessLink = (endpoint: VlessEndpoint): string => {
  const query = queryOf([
    ['encryption', 'none'],
    ['flow', endpoint.flow === '' ? null : endpoint.flow],
    ...streamParameters(endpoint.transport, endpoint.security),
  ])
  return `vless://${encoded(endpoint.uuid)}@${authority(endpoint)}?${query}#${encoded(endpoint.title)}`
}
