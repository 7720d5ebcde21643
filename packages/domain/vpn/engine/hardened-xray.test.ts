import { expect, test } from 'vitest'
import { hardenedXray } from './hardened-xray.ts'
import type { XrayInstance } from './xray-json.ts'

const instance = {
  inbounds: [{ protocol: 'vless', settings: { clients: [] }, streamSettings: {} }],
  outbounds: [{ tag: 'direct', protocol: 'freedom' }],
  routing: { rules: [] },
} as unknown as XrayInstance

test('where UDP is off, what comes from the customer as UDP is refused before anything else', () => {
  const at = { id: 'c1', listen: '0.0.0.0', port: 1, apiPort: 2, allowPrivateTargets: false }
  const { routing, inbounds } = hardenedXray(instance, { ...at, allowUdp: false })
  const usual = hardenedXray(instance, at).routing.rules
  expect(routing.rules).toEqual([
    { inboundTag: [inbounds[0]?.tag], network: 'udp', outboundTag: 'private-targets' },
    ...usual,
  ])
  expect(JSON.stringify(usual)).not.toContain('udp')
})
