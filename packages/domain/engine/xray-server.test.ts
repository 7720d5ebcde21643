import type { Access, Inbound } from '@sallyport/contract/agent'
import { expect, test } from 'vitest'
import { xrayServer } from './xray-server.ts'

const inbound: Inbound = {
  tag: 'vless-3',
  protocol: 'vless',
  listen: '0.0.0.0',
  port: 443,
  reality: {
    target: 'www.example.com:443',
    server_names: ['www.example.com'],
    private_key: 'dwdtCnMYpX08FsFyUbJmRd9ML4frwJkqsXf7pR25LCo',
    short_ids: ['0123456789abcdef'],
  },
}
const access = (id: string, tag: string, flow: '' | 'xtls-rprx-vision'): Access => ({
  id,
  revision: 1,
  inbound: tag,
  account: { protocol: 'vless', uuid: '5783a3e7-e373-51cd-8642-c83782b807c5', flow },
})

test('the whole configuration, word for word', () => {
  const accesses = [access('c12', 'vless-3', 'xtls-rprx-vision'), access('c13', 'vless-4', '')]
  const { dns, routing, ...config } = xrayServer([inbound], accesses, { apiPort: 10085 })
  expect(config).toEqual({
    log: { loglevel: 'warning', access: '', error: '', dnsLog: false },
    api: {
      tag: 'api',
      listen: '127.0.0.1:10085',
      services: ['HandlerService', 'StatsService', 'RoutingService'],
    },
    stats: {},
    policy: { levels: { '0': { statsUserUplink: true, statsUserDownlink: true, statsUserOnline: true } } },
    inbounds: [
      {
        tag: 'vless-3',
        listen: '0.0.0.0',
        port: 443,
        protocol: 'vless',
        settings: {
          clients: [
            {
              id: '5783a3e7-e373-51cd-8642-c83782b807c5',
              email: 'c12',
              level: 0,
              flow: 'xtls-rprx-vision',
            },
          ],
          decryption: 'none',
        },
        streamSettings: {
          network: 'tcp',
          security: 'reality',
          realitySettings: {
            target: 'www.example.com:443',
            xver: 0,
            serverNames: ['www.example.com'],
            privateKey: 'dwdtCnMYpX08FsFyUbJmRd9ML4frwJkqsXf7pR25LCo',
            shortIds: ['0123456789abcdef'],
            minClientVer: '1.8.0',
          },
        },
        sniffing: { enabled: true, destOverride: ['http', 'tls', 'quic'], routeOnly: true },
      },
    ],
    outbounds: [
      { tag: 'direct', protocol: 'freedom', settings: { domainStrategy: 'ForceIPv4v6' } },
      { tag: 'block', protocol: 'blackhole' },
    ],
  })
  expect(dns?.servers).toEqual([{ address: 'localhost', unexpectedIPs: routing.rules[0]?.ip }])
})

test('private networks are refused both as addresses and as answers to names', () => {
  const { dns, routing } = xrayServer([inbound], [], { apiPort: 1 })
  expect(routing.rules).toHaveLength(1)
  for (const network of ['127.0.0.0/8', '10.0.0.0/8', '169.254.0.0/16', '::/127', 'fc00::/7']) {
    expect(routing.rules[0]?.ip).toContain(network)
    expect(dns?.servers[0]?.unexpectedIPs).toContain(network)
  }
})

test('an account without a flow has no flow key', () => {
  const config = xrayServer([inbound], [access('c1', 'vless-3', '')], { apiPort: 1 })
  expect(config.inbounds[0]?.settings.clients[0]).not.toHaveProperty('flow')
})

test('private targets are reachable only on request', () => {
  const config = xrayServer([inbound], [], { apiPort: 1, allowPrivateTargets: true })
  expect(config.routing.rules).toEqual([])
  expect(config).not.toHaveProperty('dns')
  expect(config.outbounds[0]).toEqual({
    tag: 'direct',
    protocol: 'freedom',
    settings: { finalRules: [{ action: 'allow' }] },
  })
})
