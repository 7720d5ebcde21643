import type { ProxyProtocol } from '@sallyport/contract/shapes'

/** The only location where the specification forbids Telegram proxies. */
const withoutMtproto = 12

export const isAllowedProxy = (protocol: ProxyProtocol, locationId: number): boolean =>
  protocol !== 'mtproto' || locationId !== withoutMtproto
