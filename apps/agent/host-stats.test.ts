import { expect, test } from 'vitest'
import { between, hostStats, parseCpu, parseMemory, parseNetwork } from './host-stats.ts'

test('CPU ticks: idle and iowait are not busy, guests are not counted twice', () => {
  const text = 'cpu  100 0 50 800 50 0 0 0 40 0\ncpu0 100 0 50 800 50 0 0 0 40 0\n'
  expect(parseCpu(text)).toEqual({ busy: 150, total: 1000 })
})

test('memory that could be had counts as free', () => {
  expect(parseMemory('MemTotal:       1000 kB\nMemFree:  10 kB\nMemAvailable:    250 kB\n')).toBe(75)
  expect(parseMemory('')).toBe(0)
})

test('all interfaces but loopback', () => {
  const text = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 9999 1 0 0 0 0 0 0 9999 1 0 0 0 0 0 0
  eth0: 1000 5 0 0 0 0 0 0 300 4 0 0 0 0 0 0
  eth1:24 5 0 0 0 0 0 0 7 4 0 0 0 0 0 0
`
  expect(parseNetwork(text)).toEqual({ received: 1024, sent: 307 })
})

const sample = { atMs: 0, cpuBusy: 0, cpuTotal: 0, ramPercent: 50, sentBytes: 0, receivedBytes: 0 }

test('load between two samples', () => {
  const later = {
    ...sample,
    atMs: 2000,
    cpuBusy: 25,
    cpuTotal: 100,
    sentBytes: 1_000_000,
    receivedBytes: 250_000,
  }
  expect(between(sample, later)).toEqual({ cpu_percent: 25, ram_percent: 50, up_mbps: 4, down_mbps: 1 })
})

test('no time passed, or counters went back: nothing, never a negative number', () => {
  expect(between(sample, sample)).toEqual({ cpu_percent: 0, ram_percent: 50, up_mbps: 0, down_mbps: 0 })
  const vanished = between({ ...sample, sentBytes: 500 }, { ...sample, atMs: 1000 })
  expect(vanished.up_mbps).toBe(0)
})

test('this machine has sensible numbers', async () => {
  const stats = await (await hostStats())()
  expect(stats.ram_percent).toBeGreaterThan(0)
  expect(stats.uptime_seconds).toBeGreaterThan(0)
})
