import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type DigitalOceanStandIn, startDigitalOcean } from '../../../test/support/clouds/digitalocean.ts'
import { type HetznerStandIn, startHetzner } from '../../../test/support/clouds/hetzner.ts'
import { tokens } from '../../../test/support/clouds/sold-machines.ts'
import { type Db, type InProcess, startInProcess } from '../../../test/support/in-process.ts'
import { freePort } from '../../../test/support/ports.ts'
import { seededRandom } from '../../../test/support/random.ts'
import { demand } from '../call.ts'
import type { Place } from '../process.ts'
import { Agents } from './agents.ts'
import { Buyer } from './buyer.ts'
import { ProviderGate } from './gate.ts'
import { hurriedMs } from './pace.ts'
import { isAtRest, listMachines, type Present } from './verdict.ts'

/** Two providers with the machines there, the customers who rent them, and what time does to them. */

const openingRub = 1_000_000
const giftsEach = 20
const day = 86_400
/** Longer than anything taken stays taken, and than a machine is too young to be judged. */
const laterSeconds = 700
const restRounds = 120

export class Estate {
  readonly hetzner: HetznerStandIn
  readonly ocean: DigitalOceanStandIn
  readonly gate: ProviderGate
  readonly agents: Agents
  readonly buyers: Buyer[] = []
  /** Items that were brought to their end. */
  readonly lapsed = new Set<number>()
  readonly #sinceMs: number
  #aheadSeconds = 0
  #isShut = false

  private constructor(
    parts: { hetzner: HetznerStandIn; ocean: DigitalOceanStandIn; gate: ProviderGate; agents: Agents },
    sinceMs: number,
  ) {
    this.hetzner = parts.hetzner
    this.ocean = parts.ocean
    this.gate = parts.gate
    this.agents = parts.agents
    this.#sinceMs = sinceMs
  }

  static async open(sinceMs: number, urlOf: () => Promise<string>): Promise<Estate> {
    const nowMs = () => estate.now() * 1000
    const agents = new Agents({ urlOf, now: () => estate.now() })
    const usual = { boot: agents, nowMs, requestsAnHour: 1_000_000 }
    const hetzner = await startHetzner({ ...usual, token: tokens.hetzner })
    const ocean = await startDigitalOcean({ ...usual, token: tokens.digitalocean })
    const gate = await ProviderGate.open({ HETZNER_URL: hetzner.url, DIGITALOCEAN_URL: ocean.url })
    const estate: Estate = new Estate({ hetzner, ocean, gate, agents }, sinceMs)
    return estate
  }

  /** Seconds, as the service has them. */
  now(): number {
    return Math.floor(hurriedMs(this.#sinceMs, Date.now()) / 1000) + this.#aheadSeconds
  }

  get clouds(): [HetznerStandIn, DigitalOceanStandIn] {
    return [this.hetzner, this.ocean]
  }

  present(): Present[] {
    return this.clouds.flatMap((cloud) =>
      cloud
        .machines()
        .filter(({ state }) => state !== 'deleted')
        .map((machine) => ({ cloud: cloud.url, machine })),
    )
  }

  async addBuyers(url: string, operatorToken: string, count: number, seed: number): Promise<void> {
    const ask = (path: string, body: unknown) =>
      demand(url, 'POST', `/operator/v1${path}`, { token: operatorToken, body })
    for (let n = 0; n < count; n++) {
      const user = await ask('/users', { balance: openingRub })
      const gifts = { product_type: 'cloud_servers', days: 7, count: giftsEach }
      const { codes } = await ask('/promocodes', gifts)
      const identity = { id: user.id, apiKey: user.api_key, openingRub, gifts: codes }
      this.buyers.push(new Buyer(identity, seededRandom(seed + n * 0x9e3779b1)))
    }
  }

  /** One of those that run ends now, and one that runs or has ended goes for good. */
  async lapse(db: Db, random: () => number): Promise<void> {
    const terms = await db
      .selectFrom('terms as t')
      .innerJoin('machines as m', 'm.term_id', 't.id')
      .select(['t.id', 't.item_id', 't.state'])
      .where('t.state', '<>', 'deleted')
      .where('m.status', '=', 'active')
      .orderBy('t.id')
      .execute()
    const oneOf = (items: typeof terms) => items[Math.floor(random() * items.length)]
    const end = (id: number, at: number) =>
      db.updateTable('terms').set({ expires_at: at }).where('id', '=', id).execute()
    const off = oneOf(terms.filter(({ state }) => state === 'active'))
    if (off) await end(off.id, this.now() - 5)
    const gone = oneOf(terms.filter(({ id }) => id !== off?.id))
    if (!gone) return
    this.lapsed.add(gone.item_id)
    await end(gone.id, this.now() - 4 * day)
  }

  /** Buyers go on for as long as it is not over. */
  async bustle(urlOf: (random: () => number) => Promise<string>, isOver: () => boolean): Promise<void> {
    const walk = async (buyer: Buyer) => {
      while (!isOver()) {
        await buyer.step(await urlOf(buyer.random))
        await sleep(200 + buyer.random() * 800)
      }
    }
    await Promise.all(this.buyers.map(walk))
  }

  /** The service in this process, later: nothing goes wrong any more. */
  async startCalm(place: Place): Promise<InProcess> {
    for (const cloud of this.clouds) cloud.faults.clear()
    this.#aheadSeconds += laterSeconds
    const urls = { HETZNER_URL: this.hetzner.url, DIGITALOCEAN_URL: this.ocean.url }
    const env = { ...place.env, ...urls, LOG_LEVEL: 'silent', PORT: String(await freePort()) }
    return startInProcess(env, this.#clock)
  }

  readonly #clock = { now: (): number => this.now() }

  /** Until everything begun is finished, and a good while more. */
  async comeToRest({ url, database, runJobs }: InProcess): Promise<void> {
    const isBusy = () => this.buyers.some((buyer) => buyer.isBusy)
    for (let attempt = 0; isBusy(); attempt++) {
      // Whoever was killed may have left behind what is not let go of at once.
      if (attempt > 2) await sleep(500)
      const unexpected = JSON.stringify(this.buyers.flatMap((buyer) => buyer.unexpected))
      expect(attempt, `a calm service answers everything, and not ${unexpected}`).toBeLessThan(120)
      await Promise.all(this.buyers.map((buyer) => buyer.step(url, { isNew: false, isPatient: true })))
    }
    let restless: object[] = [{}]
    for (let round = 0; restless.length > 0 && round < restRounds; round++) {
      await this.#pass(20, runJobs)
      restless = (await listMachines(database.db)).filter((row) => !isAtRest(row))
    }
    expect(restless, 'machines that do not come to rest').toEqual([])
    for (let round = 0; round < 4; round++) await this.#pass(laterSeconds, runJobs)
  }

  async #pass(seconds: number, runJobs: () => Promise<void>): Promise<void> {
    this.#aheadSeconds += seconds
    await this.agents.speak()
    await runJobs()
  }

  async close(): Promise<void> {
    if (this.#isShut) return
    this.#isShut = true
    await this.agents.stop()
    await this.gate.close()
    for (const cloud of this.clouds) await cloud.close()
  }
}
