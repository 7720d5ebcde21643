import { expect, test } from 'vitest'
import { countersIn, meterScript } from './port-meter.ts'

test('each port has a counter for each direction, of what belongs to a connection', () => {
  const script = meterScript('t', [12_000])
  expect(script).toContain('ct state established,untracked counter name tcp dport map @up')
  expect(script).toContain('add counter inet t up_12000\nadd element inet t up { 12000 : "up_12000" }')
  expect(script).toContain('add element inet t down { 12000 : "down_12000" }')
})

test('what packets are wrapped in is not counted, and an acknowledgement is nothing', () => {
  const counter = (name: string, packets: number, bytes: number) => ({
    counter: { family: 'inet', name, table: 't', handle: 3, packets, bytes },
  })
  const nftables = [
    { metainfo: { version: '1.0.6' } },
    counter('up_1', 10, 520),
    counter('down_1', 2, 3104),
    counter('up_2', 1, 40),
  ]
  expect([...countersIn(JSON.stringify({ nftables }))]).toEqual([
    ['up_1', 0],
    ['down_1', 3000],
    ['up_2', 0],
  ])
})
