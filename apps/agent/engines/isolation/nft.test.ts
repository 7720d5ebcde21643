import { privateNetworks } from '@sallyport/domain/vpn/private-networks'
import { expect, test } from 'vitest'
import { nftRemoval, nftRuleset } from './nft.ts'

const refused = 'reject with icmpx admin-prohibited'
const options = { table: 'sallyport_abcd', prefix: 'slpabcd', allowPrivateTargets: false }
const chain = (name: string): string[] => {
  const body = new RegExp(`chain ${name} \\{(.*?)\\}`, 's').exec(nftRuleset(options))?.[1] ?? ''
  const [, ...rules] = body.trim().split('\n')
  return rules.map((rule) => rule.trim())
}
const forwardDrops = (ruleset: string): string[] =>
  ruleset.split('\n').filter((line) => line.includes('ip daddr') && line.endsWith(refused))

test('no private network of version 4 can be reached, unless it is allowed; customers never', () => {
  const [drop = ''] = forwardDrops(nftRuleset(options))
  for (const network of privateNetworks) expect(drop.includes(network)).toBe(!network.includes(':'))
  const allowed = forwardDrops(nftRuleset({ ...options, allowPrivateTargets: true }))
  expect(allowed).toEqual([
    '    iifname "slpabcd*" ip daddr 100.64.0.0/10 reject with icmpx admin-prohibited',
  ])
})

test('the node answers nothing but echo requests to its own end of the tunnel', () => {
  expect(chain('input')).toEqual([
    'iifname "slpabcd*" ip daddr 100.64.0.1 icmp type echo-request accept',
    'iifname "slpabcd*" reject with icmpx admin-prohibited',
  ])
})

test('what comes out of a tunnel is version 4 with the address of a customer, before anything else sees it', () => {
  expect(chain('guard')).toEqual([
    'iifname "slpabcd*" meta nfproto ipv6 drop',
    'iifname "slpabcd*" ip saddr != 100.64.0.0/10 drop',
  ])
})

test('the old rules go in the same transaction that brings the new ones, and only our table is touched', () => {
  const ruleset = nftRuleset(options)
  expect(ruleset.startsWith(nftRemoval('sallyport_abcd'))).toBe(true)
  const tables = ruleset.match(/table inet \S+/g)
  expect(new Set(tables)).toEqual(new Set(['table inet sallyport_abcd']))
  expect(ruleset).not.toContain('flush')
})
