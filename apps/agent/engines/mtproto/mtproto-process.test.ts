import { expect, test } from 'vitest'
import { frontingTarget, mtgConfig, mtgTraffic } from './mtproto-process.ts'

test('traffic with Telegram counts, over all its addresses, and what strangers got of a domain that the customer chose', () => {
  const metrics = `# TYPE mtg_telegram_traffic counter
mtg_domain_fronting_traffic{direction="to_client"} 5000
mtg_telegram_traffic{dc="2",direction="from_client",telegram_ip="149.154.167.51"} 100
mtg_telegram_traffic{dc="2",direction="to_client",telegram_ip="149.154.167.51"} 1.5e+06
mtg_telegram_traffic{dc="4",direction="to_client",telegram_ip="149.154.167.91"} 23
`
  expect(mtgTraffic(metrics, false)).toEqual({ up: 100, down: 1_500_023 })
  expect(mtgTraffic(metrics, true)).toEqual({ up: 100, down: 1_505_023 })
  expect(mtgTraffic('', true)).toEqual({ up: 0, down: 0 })
})

test('it listens where it is told, IPv6 in brackets, and downloads nothing', () => {
  const access = { id: 's1', revision: 1, kind: 'mtproto', listen: '::', port: 443, secret: 'ee00' } as const
  const config = mtgConfig(access, { statsPort: 9000, fronting: 'www.google.com:443' })
  expect(config).toContain('bind-to = "[::]:443"')
  expect(config).toContain('bind-to = "127.0.0.1:9000"')
  expect(config).toMatch(/\[defense\.blocklist\]\nenabled = false/)
  expect(config).toContain('auto-update = false')
  expect(config).not.toContain('domain-fronting')
})

test.each([
  ['203.0.113.7:443', '203.0.113.7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
])('strangers are sent to %s, whatever the domain of the secret resolves to', (fronting, address) => {
  const secret = `ee${'0'.repeat(32)}${Buffer.from('www.example.com').toString('hex')}`
  const access = { id: 's1', revision: 1, kind: 'mtproto', listen: '::', port: 443, secret } as const
  const config = mtgConfig(access, { statsPort: 9000, fronting })
  expect(config).toContain(`\n[domain-fronting]\nip = "${address}"\n`)
  expect(config).toContain(`secret = "${secret}"`)
  expect(frontingTarget(access)).toBe('www.example.com:443')
})
