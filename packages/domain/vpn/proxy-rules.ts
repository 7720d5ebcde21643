import type { ProxyProtocol } from '@sallyport/contract/shapes'

/** The only location where configurations have no Telegram proxies. A cloud server there is the customer's own, and takes them. */
const withoutMtproto = 12

export const isAllowedProxy = (protocol: ProxyProtocol, locationId: number): boolean =>
  protocol !== 'mtproto' || locationId !== withoutMtproto
