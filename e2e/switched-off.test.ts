import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { amneziawgPath, describeWith, xrayPath } from '../test/support/engines/engines.ts'
import { amneziawg, mtg, namespaces, xray } from '../test/support/pieces.ts'
import type { TestUser } from '../test/support/service.ts'
import { until } from './support/agent.ts'
import { startAmneziaWg } from './support/lab/clients/amnezia-wg.ts'
import type { Client, SteadyClient } from './support/lab/clients/client.ts'
import { startMtproto, startTelegram } from './support/lab/clients/mtproto.ts'
import { startXray } from './support/lab/clients/xray.ts'
import { Internet, sitePort } from './support/lab/internet.ts'
import { alignColumns } from './support/lab/matrix.ts'
import { addresses, Lab } from './support/lab/namespaces.ts'
import type { Steady } from './support/lab/steady.ts'
import { type BoughtConfig, type LabServer, Vpn } from './support/lab/vpn.ts'

const timeout = 300_000
const site = { host: addresses.site, port: sitePort }
const small = { downBytes: 1000, timeoutMs: 5000 }
const calm = { bytes: 10_000, everyMs: 200 }
const silentMs = 5000
const aMinuteMs = 60_000
/** As servers have it: a round of what has ended every ten seconds, and an agent that reports four times a minute. */
const roundMs = 10_000
const usualPace = { env: { SALLYPORT_REPORT_INTERVAL_MS: '', SALLYPORT_METER_INTERVAL_MS: '' } }
const reason = 'abuse'

const reaches = (client: Client): Promise<boolean> =>
  client.tcp(site, small).then(
    () => true,
    () => false,
  )

/** One call after another. */
class Calls {
  count = 0
  lastAtMs = Date.now()
  #isStopped = false
  readonly #done: Promise<void>

  constructor(client: Client) {
    this.#done = this.#run(client)
  }

  isOver(silentMs: number): boolean {
    return Date.now() - this.lastAtMs > silentMs
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#done
  }

  async #run(client: Client): Promise<void> {
    while (!this.#isStopped) {
      if (!(await reaches(client))) continue
      this.count++
      this.lastAtMs = Date.now()
    }
  }
}

/** What one customer has, by each engine; and how an operator reaches it. */
interface Customer {
  readonly user: TestUser
  readonly links: { readonly xray: BoughtConfig; readonly awg: BoughtConfig; readonly mtproto: string }
  /** Connected once, and left so. */
  readonly apps: { readonly xray: SteadyClient; readonly awg: SteadyClient; readonly mtproto: Client }
}

interface Live {
  readonly xray: Steady
  readonly awg: Steady
  /** Telegram holds no call for long, so it is called again and again. */
  readonly mtproto: Calls
}

/** Real clients with open connections, while an operator or the calendar ends what they were sold. */
describeWith([namespaces, xray, amneziawg, mtg], 'what must go off goes off', () => {
  const engines = { xray: xrayPath() ?? '', awg: amneziawgPath() ?? '' }
  const table: string[][] = []
  const open: { close: () => Promise<void> }[] = []
  let lab: Lab
  let vpn: Vpn
  let entry: LabServer
  let neighbour: Customer
  let rounds: ReturnType<typeof setInterval> | undefined
  let option: { id: number; tariffs: { id: number }[] }

  const operate = async (method: string, path: string, body?: object) => {
    const answer = await vpn.service.operator(method, path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body.data
  }
  const connect = async (user: TestUser, links: Customer['links']): Promise<Customer> => {
    await vpn.applied(entry)
    const apps = {
      xray: await startXray(lab, engines.xray, links.xray.connection_url),
      awg: await startAmneziaWg(lab, engines.awg, links.awg.awg_config ?? ''),
      mtproto: await startMtproto(lab, links.mtproto),
    }
    open.push(...Object.values(apps))
    return { user, links, apps }
  }
  const withConfigs = async (): Promise<Customer> => {
    const user = await vpn.service.createUser({ balance: 100_000 })
    const first = await vpn.buy(user, entry, 'vless')
    const path = `/configs/${first.id}/subconfig`
    const proxy = await vpn.ask<BoughtConfig>(user, 'POST', path, { protocol: 'mtproto' })
    const second = await vpn.buy(user, entry, 'amnezia-wg-2')
    return connect(user, { xray: first, awg: second, mtproto: proxy.connection_url })
  }
  const withOption = async (): Promise<Customer> => {
    const user = await vpn.service.createUser({ balance: 100_000 })
    const order = { paid_option_id: option.id, payment_method_id: 1, tariff_id: option.tariffs[0]?.id }
    const { configs } = await vpn.ask<{ configs: BoughtConfig[] }>(user, 'POST', '/paid-options', order)
    const path = `/paid-options/${option.id}/configs`
    const wish = { protocol: 'amnezia-wg-2', server_id: entry.serverId }
    const awg = await vpn.ask<BoughtConfig>(user, 'POST', path, wish)
    const carrier = await vpn.ask<BoughtConfig>(user, 'POST', path, { ...wish, protocol: 'trojan' })
    const proxyPath = `${path}/${carrier.id}/subconfig`
    const proxy = await vpn.ask<BoughtConfig>(user, 'POST', proxyPath, { protocol: 'mtproto' })
    return connect(user, { xray: configs[0] as BoughtConfig, awg, mtproto: proxy.connection_url })
  }
  const useAll = async ({ apps }: Customer): Promise<Live> => {
    expect(await reaches(apps.mtproto)).toBe(true)
    const live = {
      xray: apps.xray.steady(site, calm),
      awg: apps.awg.steady(site, calm),
      mtproto: new Calls(apps.mtproto),
    }
    for (const steady of [live.xray, live.awg]) {
      await until('the connection to carry something', () => steady.bytes >= 5 * calm.bytes)
    }
    await until('Telegram to be called', () => live.mtproto.count >= 2)
    return live
  }
  const termsOf = async ({ user }: Customer): Promise<number[]> => {
    const { db } = vpn.service
    const rows = await db.selectFrom('terms').select('id').where('user_id', '=', user.id).execute()
    return rows.map((row) => row.id)
  }
  const giveDays = async (customer: Customer, days: number): Promise<void> => {
    for (const id of await termsOf(customer)) await operate('POST', `/terms/${id}/days`, { days, reason })
  }
  const refundAll = async ({ user }: Customer): Promise<void> => {
    const orders = await operate('GET', `/payments?user_id=${user.id}&state=fulfilled`)
    for (const { id } of orders) await operate('POST', `/payments/${id}/refund`, { to: 'balance', reason })
  }
  const renewAll = async ({ user, links }: Customer): Promise<void> => {
    for (const { id } of [links.xray, links.awg]) {
      await vpn.ask(user, 'POST', `/configs/renewal/${id}`, { payment_method_id: 1 })
    }
  }
  const setBlocked = ({ user }: Customer, is_blocked: boolean) =>
    operate('PATCH', `/users/${user.id}/blocked`, { is_blocked })
  const setDisabled = ({ user }: Customer, is_disabled: boolean) =>
    operate('PATCH', `/users/${user.id}/paid-options/${option.id}`, { is_disabled, reason })

  beforeAll(async () => {
    lab = await Lab.open()
    await Internet.open(lab, engines.xray)
    await startTelegram(lab)
    vpn = await Vpn.open(lab)
    entry = await vpn.addServer('entry', 1, usualPace)
    const words = { title_ru: 'Опция', title_en: 'Option', caption_ru: 'Слова', caption_en: 'Words' }
    option = await operate('POST', '/paid-options', {
      key: 'switched',
      ...words,
      description_ru: 'Слова',
      description_en: 'Words',
      protocol: 'vless',
      server_ids: [entry.serverId],
      tariffs: [{ days: 30, prices: [{ payment_method_id: 1, price: 100 }] }],
    })
    neighbour = await withConfigs()
    open.length = 0
    let isBusy = false
    rounds = setInterval(async () => {
      if (isBusy) return
      isBusy = true
      await vpn.service.running.runJobs().catch(() => {})
      isBusy = false
    }, roundMs)
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()))
  })
  afterAll(async () => {
    clearInterval(rounds)
    console.log(`seconds until it was off, and until it was back\n${alignColumns(table)}`)
    await vpn?.close()
    await lab?.close()
  })

  const ways: readonly (readonly [
    name: string,
    enter: () => Promise<Customer>,
    off: (customer: Customer) => Promise<unknown>,
    on: (customer: Customer) => Promise<unknown>,
  ])[] = [
    [
      'an account that is closed',
      withConfigs,
      (one) => setBlocked(one, true),
      (one) => setBlocked(one, false),
    ],
    [
      'an account with an option',
      withOption,
      (one) => setBlocked(one, true),
      (one) => setBlocked(one, false),
    ],
    ['orders that are refunded', withConfigs, refundAll, renewAll],
    ['terms that end', withConfigs, (one) => giveDays(one, -3650), (one) => giveDays(one, 30)],
    ['an option that ends', withOption, (one) => giveDays(one, -3650), (one) => giveDays(one, 30)],
    [
      'an option that is disabled',
      withOption,
      (one) => setDisabled(one, true),
      (one) => setDisabled(one, false),
    ],
  ]

  test.each(ways)('%s', { timeout }, async (name, enter, off, on) => {
    const customer = await enter()
    const live = await useAll(customer)
    const kept = neighbour.apps.xray.steady(site, calm)
    await until("the neighbour's to carry something", () => kept.bytes > 0)
    const offAtMs = Date.now()
    await off(customer)
    const { xray, awg, mtproto } = live
    const all = [xray, awg, mtproto]
    await until('all traffic to end', () => all.every((each) => each.isOver(silentMs)), 120)
    const tookMs = all.map((each) => each.lastAtMs - offAtMs)
    for (const took of tookMs) expect(took).toBeLessThan(aMinuteMs)
    await vpn.applied(entry)
    for (const app of Object.values(customer.apps)) expect(await reaches(app), app.name).toBe(false)
    const carried = kept.bytes
    await until("the neighbour's to go on", () => kept.bytes > carried)

    const onAtMs = Date.now()
    await on(customer)
    for (const app of Object.values(customer.apps)) {
      await until(`${app.name} to be back`, () => reaches(app), 90)
    }
    const backMs = Date.now() - onAtMs
    expect(backMs).toBeLessThan(2 * aMinuteMs)
    const inSeconds = [...tookMs, backMs].map((ms) => (ms / 1000).toFixed(1))
    table.push([name, ...inSeconds])
    await Promise.all([xray, awg, mtproto, kept].map((each) => each.stop()))
  })
})
