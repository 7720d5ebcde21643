import { bracketed, type Endpoint, type VlessEndpoint } from '../endpoint.ts'

/** The share link that clients import, by protocol. */

const encoded = encodeURIComponent

const vlessLink = (endpoint: VlessEndpoint): string => {
  const { serverName, fingerprint, publicKey, shortId } = endpoint.security
  const address = `${endpoint.uuid}@${bracketed(endpoint.host)}:${endpoint.port}`
  const flow = endpoint.flow === '' ? '' : `&flow=${endpoint.flow}`
  const sni = serverName === null ? '' : `&sni=${encoded(serverName)}`
  const keys = `&fp=${encoded(fingerprint)}&pbk=${encoded(publicKey)}&sid=${encoded(shortId)}`
  const query = `encryption=none${flow}&type=tcp&headerType=none&security=reality${sni}${keys}&spx=%2F`
  return `vless://${address}?${query}#${encoded(endpoint.title)}`
}

export const connectionUrl = (endpoint: Endpoint): string => {
  switch (endpoint.protocol) {
    case 'vless':
      return vlessLink(endpoint)
  }
}
