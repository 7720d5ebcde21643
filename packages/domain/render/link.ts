import { bracketed, type Endpoint, type VlessEndpoint } from '../endpoint.ts'

/** The share link that clients import, by protocol. */

const query = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')

const vlessLink = (endpoint: VlessEndpoint): string => {
  const { security } = endpoint
  const parameters: [string, string][] = [['encryption', 'none']]
  if (endpoint.flow !== '') parameters.push(['flow', endpoint.flow])
  parameters.push(['type', 'tcp'], ['headerType', 'none'], ['security', 'reality'])
  if (security.serverName !== null) parameters.push(['sni', security.serverName])
  parameters.push(
    ['fp', security.fingerprint],
    ['pbk', security.publicKey],
    ['sid', security.shortId],
    ['spx', '/'],
  )
  const address = `${endpoint.uuid}@${bracketed(endpoint.host)}:${endpoint.port}`
  return `vless://${address}?${query(parameters)}#${encodeURIComponent(endpoint.title)}`
}

export const connectionUrl = (endpoint: Endpoint): string => {
  switch (endpoint.protocol) {
    case 'vless':
      return vlessLink(endpoint)
  }
}
