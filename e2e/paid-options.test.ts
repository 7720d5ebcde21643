import { afterAll, beforeAll, expect, test } from 'vitest'
import { amneziawgPath, describeWith, xrayPath } from '../test/support/engines/engines.ts'
import { amneziawg, namespaces, xray } from '../test/support/pieces.ts'
import type { TestUser } from '../test/support/service.ts'
import { until } from './support/agent.ts'
import { type AmneziaWgClient, startAmneziaWg } from './support/lab/clients/amnezia-wg.ts'
import type { Client, SteadyClient } from './support/lab/clients/client.ts'
import { startXray } from './support/lab/clients/xray.ts'
import { Internet, sitePort } from './support/lab/internet.ts'
import { alignColumns } from './support/lab/matrix.ts'
import { addresses, Lab } from './support/lab/namespaces.ts'
import type { Steady } from './support/lab/steady.ts'
import { type BoughtConfig, type LabServer, Vpn } from './support/lab/vpn.ts'

const site = { host: addresses.site, port: sitePort }
const firstLimit = 60_000_000
const raisedLimit = 400_000_000
const measured = { downBytes: 20_000_000, upBytes: 2_000_000, timeoutMs: 60_000 }
const again = { downBytes: 5_000_000, timeoutMs: 60_000 }
const small = { downBytes: 1000, timeoutMs: 3000 }
/** About a megabyte a second, for who is to run out, and a little all the time for who is not. */
const eager = { bytes: 100_000, everyMs: 100 }
const calm = { bytes: 50_000, everyMs: 250 }
const silentMs = 5000
/** A minute where nothing else goes on. */
const mostSeconds = 180
/** For a busy machine to move what leads over the limit. */
const patienceSeconds = 120
const tolerance = 0.02
/** As on servers: every quarter of a minute. The lab's own hurry would make nothing of a minute. */
const usualPace = { env: { SALLYPORT_REPORT_INTERVAL_MS: '', SALLYPORT_METER_INTERVAL_MS: '' } }
const reportSeconds = 21
/** Of packets that come late or are asked for again. */
const aLittle = 10_000

interface OptionConfig extends BoughtConfig {
  readonly server_id: number
}

interface Bought {
  readonly configs: readonly OptionConfig[]
}

interface Shown {
  readonly used_traffic_bytes: number
  readonly traffic_limit_bytes: number
  readonly status: string
}

/** Through the shared Xray of one server and AmneziaWG of another, under one subscription. */
interface Customer {
  readonly user: TestUser
  readonly xray: SteadyClient
  readonly awg: AmneziaWgClient
  readonly ids: { readonly xray: number; readonly awg: number }
}

const tunnels = ['xray', 'awg'] as const
type Tunnel = (typeof tunnels)[number]
type PerTunnel<T> = Record<Tunnel, T>

const forBoth = async <T>(work: (tunnel: Tunnel) => Promise<T> | T): Promise<PerTunnel<T>> => {
  const [xray, awg] = await Promise.all(tunnels.map(work))
  return { xray, awg } as PerTunnel<T>
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const percent = (counted: number, moved: number): string => `${(100 * (counted / moved - 1)).toFixed(2)} %`
const sumOf = ({ xray, awg }: PerTunnel<number>): number => xray + awg
const isClose = (counted: number, moved: number): boolean => Math.abs(counted - moved) <= tolerance * moved

/** When the two together had moved so many bytes; `weight` is what the tunnel makes of a byte of payload. */
const movedAtMs = (live: PerTunnel<Steady>, weight: PerTunnel<number>, bytes: number): number | null => {
  const steps = tunnels.flatMap((tunnel) =>
    live[tunnel].steps.map((step) => ({ tunnel, atMs: step.atMs, bytes: step.bytes * weight[tunnel] })),
  )
  const moved = { xray: 0, awg: 0 }
  for (const step of steps.toSorted((left, right) => left.atMs - right.atMs)) {
    moved[step.tunnel] = step.bytes
    if (sumOf(moved) >= bytes) return step.atMs
  }
  return null
}

const isReached = (client: Client): Promise<boolean> =>
  client.tcp(site, small).then(
    () => true,
    () => false,
  )

/** One subscription on two servers, by two engines, metered as a whole; and a neighbour with the same option. */
describeWith([namespaces, xray, amneziawg], 'a paid option that runs out of traffic', () => {
  const engines = { xray: xrayPath() ?? '', awg: amneziawgPath() ?? '' }
  const table: string[][] = []
  let lab: Lab
  let vpn: Vpn
  let entry: LabServer
  let exit: LabServer
  let option: { id: number; tariffs: { id: number }[] }

  const ask = <T>({ user }: { user: TestUser }, method: string, path: string, body?: object): Promise<T> => {
    const { clock } = vpn.service
    // Every call of a customer turns the clock by a second, and minutes pass here.
    clock.advance(Math.max(-1, Math.floor(Date.now() / 1000) - clock.now() - 1))
    return vpn.ask<T>(user, method, `/paid-options${path}`, body)
  }
  const show = (customer: Customer): Promise<Shown> => ask(customer, 'GET', `/${option.id}/subscription`)
  const linksOf = async (customer: Customer): Promise<string[]> => {
    const [bought] = await ask<Bought[]>(customer, 'GET', '')
    return (bought?.configs ?? []).flatMap((config) => [config.connection_url, config.awg_config ?? ''])
  }
  const enter = async (): Promise<Customer> => {
    const user = await vpn.service.createUser({ balance: 1000 })
    const order = { paid_option_id: option.id, payment_method_id: 1, tariff_id: option.tariffs[0]?.id }
    const { configs } = await ask<Bought>({ user }, 'POST', '', order)
    const wish = { protocol: 'amnezia-wg-2', server_id: exit.serverId }
    const added = await ask<BoughtConfig>({ user }, 'POST', `/${option.id}/configs`, wish)
    const own = configs.find((config) => config.server_id === entry.serverId)
    await Promise.all([vpn.applied(entry), vpn.applied(exit)])
    return {
      user,
      xray: await startXray(lab, engines.xray, own?.connection_url ?? ''),
      awg: await startAmneziaWg(lab, engines.awg, added.awg_config ?? ''),
      ids: { xray: own?.id ?? 0, awg: added.id },
    }
  }
  const metered = ({ ids }: Customer): Promise<PerTunnel<number>> =>
    forBoth(async (tunnel) => {
      const meters = vpn.service.db.selectFrom('meters').select(['up', 'down'])
      const { up, down } = await meters.where('access_id', '=', ids[tunnel]).executeTakeFirstOrThrow()
      return up + down
    })
  /** When nothing has been added for as long as nodes take to report. */
  const settled = async (customer: Customer): Promise<PerTunnel<number>> => {
    let last = { bytes: Number.NEGATIVE_INFINITY, sinceMs: 0 }
    const isAtRest = async () => {
      const { used_traffic_bytes: bytes } = await show(customer)
      if (bytes - last.bytes > aLittle) last = { bytes, sinceMs: Date.now() }
      return Date.now() - last.sinceMs > reportSeconds * 1000
    }
    await until('the counters to rest', isAtRest, 3 * reportSeconds)
    return metered(customer)
  }
  /**
   * What a client moved: through Xray the payload, through AmneziaWG what its tunnel's interface carried, for there go
   * packets with their headers. What the tunnel wraps them in is on nobody's bill.
   */
  const movedBy = async ({ awg }: Customer, payload: PerTunnel<number>): Promise<PerTunnel<number>> => ({
    xray: payload.xray,
    awg: (await awg.counted()).device,
  })
  const expectAgreement = async (
    customer: Customer,
    who: string,
    payload: PerTunnel<number>,
    more: PerTunnel<string[]>,
  ) => {
    const counted = await settled(customer)
    const moved = await movedBy(customer, payload)
    const { engine } = await customer.awg.counted()
    for (const tunnel of tunnels) {
      table.push([
        ...[who, tunnel, `payload ${megabytes(payload[tunnel])}`],
        tunnel === 'awg' ? `wire ${megabytes(engine)}` : '',
        ...[`moved ${megabytes(moved[tunnel])}`, `counted ${megabytes(counted[tunnel])}`],
        ...[percent(counted[tunnel], moved[tunnel]), ...more[tunnel]],
      ])
    }
    for (const tunnel of tunnels) expect(isClose(counted[tunnel], moved[tunnel]), tunnel).toBe(true)
    const { used_traffic_bytes: used } = await show(customer)
    expect(isClose(used, sumOf(moved)), `${used} of ${sumOf(moved)}`).toBe(true)
  }

  beforeAll(async () => {
    lab = await Lab.open()
    await Internet.open(lab, engines.xray)
    vpn = await Vpn.open(lab)
    entry = await vpn.addServer('entry', 1, usualPace)
    exit = await vpn.addServer('exit', 2, usualPace)
    const words = (text: string) => ({ [`${text}_ru`]: 'Слова', [`${text}_en`]: 'Words' })
    const made = await vpn.service.operator('POST', '/paid-options', {
      ...{ key: 'two_servers', ...words('title'), ...words('caption'), ...words('description') },
      protocol: 'vless',
      traffic_limit: firstLimit,
      most_traffic: 0,
      server_ids: [entry.serverId, exit.serverId],
      tariffs: [{ days: 30, prices: [{ payment_method_id: 1, price: 100 }] }],
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    option = made.body.data
  })
  afterAll(async () => {
    console.log(alignColumns(table))
    await vpn?.close()
    await lab?.close()
  })

  test('stops in both tunnels, comes back under the same links, and leaves the neighbour alone', {
    timeout: 900_000,
  }, async () => {
    const neighbour = await enter()
    await ask(neighbour, 'PATCH', `/${option.id}/limits`, { traffic_limit: 0 })
    const held = await forBoth((tunnel) => neighbour[tunnel].steady(site, calm))
    const customer = await enter()
    const links = await linksOf(customer)
    expect(links.filter(Boolean)).toHaveLength(4)

    await forBoth((tunnel) => customer[tunnel].tcp(site, measured))
    const first = await forBoth(() => measured.downBytes + measured.upBytes)
    const moved = await movedBy(customer, first)
    const isCounted = async () => {
      const counted = await metered(customer)
      const { used_traffic_bytes: used } = await show(customer)
      return isClose(used, sumOf(moved)) && tunnels.every((tunnel) => isClose(counted[tunnel], moved[tunnel]))
    }
    await until('the counters to agree', isCounted, mostSeconds)
    expect(await show(customer)).toMatchObject({ status: 'active', traffic_limit_bytes: firstLimit })

    const weight = await forBoth((tunnel) => moved[tunnel] / first[tunnel])
    const left = firstLimit - sumOf(moved)
    const live = await forBoth((tunnel) => customer[tunnel].steady(site, eager))
    await until('the limit to be crossed', () => movedAtMs(live, weight, left) !== null, patienceSeconds)
    const crossedAtMs = movedAtMs(live, weight, left) ?? 0
    const areOver = () => tunnels.every((tunnel) => live[tunnel].isOver(silentMs))
    await until('both tunnels to stop', areOver, mostSeconds + silentMs / 1000)
    const stopped = await forBoth((tunnel) => live[tunnel].lastAtMs - crossedAtMs)
    for (const tunnel of tunnels) expect(stopped[tunnel]).toBeLessThan(mostSeconds * 1000)
    expect((await show(customer)).status).toBe('limited')
    expect(await forBoth((tunnel) => isReached(customer[tunnel]))).toEqual({ xray: false, awg: false })
    expect(await linksOf(customer)).toEqual(links)
    await forBoth((tunnel) => live[tunnel].stop())

    await ask(customer, 'PATCH', `/${option.id}/limits`, { traffic_limit: raisedLimit })
    const raisedAtMs = Date.now()
    const back = await forBoth(async (tunnel) => {
      await until(`${tunnel} to come back`, () => isReached(customer[tunnel]), mostSeconds)
      return Date.now() - raisedAtMs
    })
    expect(await show(customer)).toMatchObject({ status: 'active', traffic_limit_bytes: raisedLimit })
    expect(await linksOf(customer)).toEqual(links)
    await forBoth((tunnel) => customer[tunnel].tcp(site, again))

    const silence = await forBoth((tunnel) => held[tunnel].longestSilenceMs)
    expect(await forBoth((tunnel) => held[tunnel].isRunning)).toEqual({ xray: true, awg: true })
    for (const tunnel of tunnels) expect(silence[tunnel]).toBeLessThan(silentMs)
    expect(await show(neighbour)).toMatchObject({ status: 'active', traffic_limit_bytes: 0 })
    await forBoth((tunnel) => held[tunnel].stop())

    const whole = await forBoth((tunnel) => first[tunnel] + live[tunnel].bytes + again.downBytes)
    const kept = await forBoth((tunnel) => held[tunnel].bytes)
    const ended = await forBoth((tunnel) => [
      `stopped ${seconds(stopped[tunnel])}`,
      `back ${seconds(back[tunnel])}`,
    ])
    const quiet = await forBoth((tunnel) => ['never stopped', `silent ${seconds(silence[tunnel])} at most`])
    await Promise.all([
      expectAgreement(customer, 'limited', whole, ended),
      expectAgreement(neighbour, 'neighbour', kept, quiet),
    ])
  })
})
