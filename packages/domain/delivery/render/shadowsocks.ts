import type { ShadowsocksEndpoint } from '../../vpn/endpoint.ts'
import { authority, encoded } from './url-parts.ts'

/** SIP002 wants Base64 for the older methods and forbids it for those of 2022. */
const userinfo = ({ method, password }: ShadowsocksEndpoint): string =>
  method.startsWith('2022-')
    ? `${method}:${encoded(password)}`
    : Buffer.from(`${method}:${password}`).toString('base64url')

export const shadowsocksLink = (endpoint: ShadowsocksEndpoint): string => {
  const mark = endpoint.isOutline ? '/?outline=1' : ''
  return `ss://${userinfo(endpoint)}@${authority(endpoint)}${mark}#${encoded(endpoint.title)}`
}
