import { deliver, type Webhook } from '../support/providers/stand-in.ts'
import { Dice, inBatches } from './dice.ts'
import type { Providers } from './providers.ts'
import type { Tally } from './tally.ts'

/** Carries webhooks the way networks do: late, twice, in another order, and sometimes not at all. */

/** What of the world webhooks touch. */
interface Roads {
  readonly seed: number
  readonly tally: Tally
  readonly providers: Providers
  now(): number
  url(): string
  blame(problem: string, detail: string): void
}

interface Letter {
  readonly webhook: Webhook
  readonly dueAt: number
}

const lostShare = 0.08
const doubledShare = 0.2

const delaySeconds = (dice: Dice): number => {
  switch (dice.weighted({ now: 55, minutes: 25, hours: 12, days: 8 })) {
    case 'now':
      return 0
    case 'minutes':
      return dice.int(60, 3600)
    case 'hours':
      return dice.int(3600, 86_400)
    case 'days':
      return dice.int(86_400, 3 * 86_400)
  }
}

export class Courier {
  readonly #world: Roads
  readonly #certain = new WeakSet<Webhook>()
  #letters: Letter[] = []
  #count = 0

  constructor(world: Roads) {
    this.#world = world
  }

  /** Providers repeat for days, and nobody would look for this one: it may be late, but it comes. */
  promise(webhook: Webhook): void {
    this.#certain.add(webhook)
  }

  /** Everything that providers wanted to tell since the last time. */
  collect(): void {
    const { providers, tally } = this.#world
    for (const webhook of providers.all.flatMap((standIn) => standIn.webhooks.splice(0))) {
      const dice = new Dice(this.#world.seed, 800, this.#count++)
      if (!this.#certain.has(webhook) && dice.chance(lostShare)) {
        tally.add('fault webhook lost')
        continue
      }
      this.#post(webhook, delaySeconds(dice))
      if (!dice.chance(doubledShare)) continue
      tally.add('fault webhook doubled')
      this.#post(webhook, delaySeconds(dice))
    }
  }

  #post(webhook: Webhook, delay: number): void {
    if (delay >= 3600) this.#world.tally.add('fault webhook late')
    this.#letters.push({ webhook, dueAt: this.#world.now() + delay })
  }

  async deliverDue(): Promise<void> {
    this.collect()
    const now = this.#world.now()
    const due = this.#letters.filter((letter) => letter.dueAt <= now)
    this.#letters = this.#letters.filter((letter) => letter.dueAt > now)
    const dice = new Dice(this.#world.seed, 801, now)
    await inBatches(dice.shuffled(due), ({ webhook }) => this.#deliver(webhook))
  }

  /** Whatever is still on its way. */
  async deliverAll(): Promise<void> {
    this.collect()
    const left = this.#letters
    this.#letters = []
    await inBatches(left, ({ webhook }) => this.#deliver(webhook))
  }

  async #deliver(webhook: Webhook): Promise<void> {
    const { stripe } = this.#world.providers
    // Stripe signs each attempt anew.
    const headers = webhook.provider === 'stripe' ? stripe.sign(webhook.body) : webhook.headers
    const response = await deliver(this.#world.url(), { ...webhook, headers })
    await response.arrayBuffer()
    this.#world.tally.add('webhooks')
    if (response.status !== 200) this.#world.blame(`${response.status} to a webhook`, webhook.body)
  }
}
