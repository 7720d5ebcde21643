import { runMachineSteps } from '../../../apps/server/core/clouds/machine-job.ts'
import type { CloudStandIn } from '../../support/clouds/cloud-stand-in.ts'
import { startDigitalOcean } from '../../support/clouds/digitalocean.ts'
import type { Fault, Operation } from '../../support/clouds/faults.ts'
import { startHetzner } from '../../support/clouds/hetzner.ts'
import type { Boot, CloudMachine } from '../../support/clouds/machines.ts'
import { RentedMachines } from '../../support/rented-machines.ts'
import { Dice } from '../dice.ts'
import type { Park, World } from '../world.ts'

/** Two providers of machines, not always well, and the agents of the machines there. */

const tokens = { hetzner: 'hetzner-token', digitalocean: 'ocean-token' } as const
/** Where machines are rented; elsewhere the operator's own node takes them. */
export const rentedAt = 1

const faults: readonly (readonly [Operation, Fault])[] = [
  ['create', { kind: 'reset', after: true }],
  ['create', { kind: 'status', status: 502, after: true }],
  ['create', { kind: 'status', status: 500 }],
  ['create', { kind: 'rate', retryAfterSeconds: 30 }],
  ['create', { kind: 'stock' }],
  ['create', { kind: 'action-error', code: 'action_failed', message: 'no luck' }],
  ['list', { kind: 'status', status: 500 }],
  ['show', { kind: 'reset' }],
  ['action', { kind: 'html' }],
  ['reboot', { kind: 'busy' }],
  ['reboot', { kind: 'reset', after: true }],
  ['powerOff', { kind: 'status', status: 500, after: true }],
  ['powerOn', { kind: 'reset' }],
  ['destroy', { kind: 'reset', after: true }],
  ['destroy', { kind: 'status', status: 500 }],
]

/** Machines that came up anew since their agents last spoke. */
class Boots implements Boot {
  readonly fresh = new Set<number>()
  #count = 0

  async create(): Promise<{ address: string }> {
    this.#count++
    return { address: `198.18.${this.#count >> 8}.${this.#count & 255}` }
  }

  async reboot(id: number): Promise<void> {
    this.fresh.add(id)
  }

  async powerOn(id: number): Promise<void> {
    this.fresh.add(id)
  }
}

export interface Clouds {
  readonly all: readonly CloudStandIn[]
  readonly boots: Boots
  readonly env: Record<string, string>
}

export const startClouds = async (now: () => number): Promise<Clouds> => {
  const boots = new Boots()
  const usual = { boot: boots, nowMs: () => now() * 1000, requestsAnHour: 10_000_000 }
  const hetzner = await startHetzner({ ...usual, token: tokens.hetzner })
  const ocean = await startDigitalOcean({ ...usual, token: tokens.digitalocean })
  const env = { HETZNER_URL: hetzner.url, DIGITALOCEAN_URL: ocean.url }
  return { all: [hetzner, ocean], boots, env }
}

const visits = 6
const betweenVisitsSeconds = 25

export class MachinePark implements Park {
  readonly #world: World
  readonly #clouds: Clouds
  readonly #rented: RentedMachines
  readonly #enrolled = new Set<number>()

  private constructor(world: World, clouds: Clouds) {
    this.#world = world
    this.#clouds = clouds
    this.#rented = new RentedMachines(world.service)
  }

  static async start(world: World, clouds: Clouds): Promise<MachinePark> {
    const park = new MachinePark(world, clouds)
    const rented = park.#rented
    const atHetzner = { cloudId: await rented.account('hetzner', tokens.hetzner), image: 'debian-12' }
    const oceanId = await rented.account('digitalocean', tokens.digitalocean)
    const atOcean = { cloudId: oceanId, image: 'debian-12-x64', region: 'fra1', type: 's-1vcpu-1gb' }
    const offers = [{ ...atHetzner, region: 'fsn1', type: 'cx23' }, atOcean].map((offer) => ({
      ...offer,
      locationId: rentedAt,
    }))
    await rented.offersOf(1, ...offers)
    await rented.offersOf(2, ...offers.toReversed())
    return park
  }

  present(orderId?: number): CloudMachine[] {
    const all = this.#clouds.all.flatMap((cloud) => cloud.machines())
    const there = all.filter(({ state }) => state !== 'deleted')
    return orderId === undefined ? there : there.filter(({ name }) => name.endsWith(`-${orderId}`))
  }

  get made(): number {
    return this.#clouds.all.reduce((sum, cloud) => sum + cloud.machines().length, 0)
  }

  async speak(): Promise<void> {
    for (const { order_id } of await this.#listUnsettled()) await this.speakOf(order_id)
  }

  /** One that is off says nothing. */
  async speakOf(orderId: number): Promise<void> {
    for (const machine of this.present(orderId)) {
      if (machine.state !== 'running') continue
      if (this.#enrolled.has(machine.id)) await this.#report(machine)
      else if ((await this.#rented.callHome(machine)).status < 300) this.#enrolled.add(machine.id)
    }
  }

  /** What was ordered is looked after every few seconds, as it is in life, for a while on each day. */
  async passDay(day: number): Promise<void> {
    this.#stirUp(new Dice(this.#world.seed, 960, day))
    for (let visit = 0; visit < visits && (await this.#listUnsettled()).length > 0; visit++) {
      await this.tend()
    }
  }

  async tend(): Promise<void> {
    const world = this.#world
    await world.goTo(world.now() + betweenVisitsSeconds)
    await this.speak()
    await Promise.all(world.instances.map(({ services }) => runMachineSteps(services, world.now())))
  }

  endFaults(): void {
    for (const cloud of this.#clouds.all) cloud.faults.clear()
  }

  /** Instead of yesterday's. */
  #stirUp(dice: Dice): void {
    this.endFaults()
    const nowhere = dice.chance(0.05)
    for (const cloud of this.#clouds.all) {
      if (nowhere || dice.chance(0.12)) cloud.faults.outOfStock({})
      while (dice.chance(0.4)) {
        const [operation, fault] = dice.pick(faults)
        cloud.faults.once(operation, fault)
        this.#world.tally.add(`cloud ${operation} ${fault.kind}`)
      }
    }
  }

  async #report(machine: CloudMachine): Promise<void> {
    const isFresh = this.#clouds.boots.fresh.delete(machine.id)
    const said = isFresh ? this.#rented.restarted(machine.name) : this.#rented.report(machine.name)
    // Its node may be gone by now.
    await said.catch(() => undefined)
  }

  #listUnsettled() {
    return this.#world.service.db
      .selectFrom('machines')
      .select('order_id')
      .where('gone_at', 'is', null)
      .where('next_step_at', 'is not', null)
      .orderBy('id')
      .execute()
  }
}
