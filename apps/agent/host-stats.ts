import { readFile } from 'node:fs/promises'
import { cpus, freemem, totalmem } from 'node:os'
import { type HostStats, mostMbps } from '@sallyport/contract/agent/report'
import { machineUptimeSeconds } from './machine/uptime.ts'

export interface Sample {
  readonly atMs: number
  readonly cpuBusy: number
  readonly cpuTotal: number
  readonly ramPercent: number
  readonly sentBytes: number
  readonly receivedBytes: number
}

/** The first line of /proc/stat: user nice system idle iowait irq softirq steal (guests are in user). */
export const parseCpu = (procStat: string): { busy: number; total: number } => {
  const ticks = (/^cpu +(.+)$/m.exec(procStat)?.[1] ?? '').split(' ').slice(0, 8).map(Number)
  const total = ticks.reduce((sum, value) => sum + value, 0)
  return { busy: total - (ticks[3] ?? 0) - (ticks[4] ?? 0), total }
}

export const parseMemory = (procMeminfo: string): number => {
  const kibibytes = (name: string) => Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(procMeminfo)?.[1])
  const used = 100 * (1 - kibibytes('MemAvailable') / kibibytes('MemTotal'))
  return Number.isFinite(used) ? used : 0
}

/** Bytes over all interfaces of /proc/net/dev except loopback. */
export const parseNetwork = (procNetDev: string): { sent: number; received: number } => {
  const sum = { sent: 0, received: 0 }
  for (const line of procNetDev.split('\n')) {
    const [, name, numbers] = /^ *([^:\s]+): *(.+)$/.exec(line) ?? []
    if (numbers === undefined || name === 'lo') continue
    const columns = numbers.split(/ +/).map(Number)
    sum.received += columns[0] ?? 0
    sum.sent += columns[8] ?? 0
  }
  return sum
}

/** What other systems than Linux tell: no network counters. */
const portableSample = (atMs: number): Sample => {
  const times = cpus().map(({ times }) => times)
  const idle = times.reduce((sum, time) => sum + time.idle, 0)
  const total = times.flatMap((time) => Object.values(time)).reduce((sum, value) => sum + value, 0)
  const ramPercent = 100 * (1 - freemem() / totalmem())
  return { atMs, cpuBusy: total - idle, cpuTotal: total, ramPercent, sentBytes: 0, receivedBytes: 0 }
}

const takeSample = async (): Promise<Sample> => {
  const atMs = performance.now()
  if (process.platform !== 'linux') return portableSample(atMs)
  const paths = ['/proc/stat', '/proc/meminfo', '/proc/net/dev']
  const [stat = '', meminfo = '', netDev = ''] = await Promise.all(
    paths.map((path) => readFile(path, 'utf8')),
  )
  const [cpu, network] = [parseCpu(stat), parseNetwork(netDev)]
  return {
    atMs,
    cpuBusy: cpu.busy,
    cpuTotal: cpu.total,
    ramPercent: parseMemory(meminfo),
    sentBytes: network.sent,
    receivedBytes: network.received,
  }
}

const round = (value: number): number => Math.round(Math.max(0, value) * 100) / 100
const percent = (value: number): number => Math.min(100, round(value))

/** Load between two samples; counters that went back (an interface vanished) count as nothing. */
export const between = (before: Sample, after: Sample): Pick<HostStats, LoadField> => {
  const seconds = (after.atMs - before.atMs) / 1000
  const ticks = after.cpuTotal - before.cpuTotal
  const mbps = (bytes: number) => (seconds > 0 ? Math.min(mostMbps, round((bytes * 8) / 1e6 / seconds)) : 0)
  return {
    cpu_percent: ticks > 0 ? percent((100 * (after.cpuBusy - before.cpuBusy)) / ticks) : 0,
    ram_percent: percent(after.ramPercent),
    up_mbps: mbps(after.sentBytes - before.sentBytes),
    down_mbps: mbps(after.receivedBytes - before.receivedBytes),
  }
}

type LoadField = 'cpu_percent' | 'ram_percent' | 'up_mbps' | 'down_mbps'
/** Reports that follow an apply come at once; a load over less than this would be noise. */
const shortestSpanMs = 1000

/** Each call tells the load since the one before. */
export const hostStats = async (): Promise<() => Promise<HostStats>> => {
  let last = await takeSample()
  let load = between(last, last)
  const cpuModel = (cpus()[0]?.model ?? '').trim().slice(0, 200)
  return async () => {
    const now = await takeSample()
    if (now.atMs - last.atMs >= shortestSpanMs) {
      load = between(last, now)
      last = now
    }
    return { ...load, uptime_seconds: await machineUptimeSeconds(), cpu_model: cpuModel }
  }
}
