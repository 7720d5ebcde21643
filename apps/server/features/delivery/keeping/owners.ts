import type { Db } from '../../../db/client.ts'
import { GatheredRead } from '../../../db/reads/gathered.ts'
import type { Asking } from '../admission.ts'
import {
  findOwner,
  type Standing,
  type SubscriptionOwner,
  standings,
  standingWithOptions,
  standingWithTraffic,
} from '../queries.ts'
import type { MovedTerms } from './moved.ts'
import { textsOf } from './texts.ts'

/**
 * Whose keys have been asked for lately. Of an owner who is known each fetch reads the row of the key and of the device, which is
 * what may change without the revision, and the traffic if that has moved; the rest is read again when the revision is another
 * one.
 */

/** Some 800 bytes each. */
const mostOwners = 100_000

type At = Pick<Asking, 'keyHash' | 'keyName' | 'device' | 'now'>

export interface Known {
  readonly owner: SubscriptionOwner
  /** When its traffic was summed up, as moved terms count. */
  readonly summedAt: number
}

/** What is of the device that asked. */
const nobodys = { device_id: null, is_device_blocked: null, device_seen_at: null, has_blocked: false }

/** Of most who do not name a device. */
const isNothingNew = (row: Standing, known: SubscriptionOwner): boolean =>
  row.device_id === null &&
  row.has_blocked === known.has_blocked &&
  row.settings_version === known.settings_version &&
  row.device_limit === known.device_limit &&
  row.block_unknown_devices === known.block_unknown_devices

const readStandings = (db: Db, asked: readonly At[]) =>
  standings(
    db,
    asked.map(({ keyHash }) => keyHash),
    asked.map(({ device }) => device?.hash ?? null),
  )

export class KnownOwners {
  readonly #db: Db
  readonly #moved: MovedTerms
  readonly #most: number
  readonly #known = new Map<string, Known>()
  readonly #standings: GatheredRead<At, Standing>

  constructor(db: Db, moved: MovedTerms, most = mostOwners) {
    this.#db = db
    this.#moved = moved
    this.#most = most
    this.#standings = new GatheredRead((asked) => readStandings(db, asked))
  }

  get size(): number {
    return this.#known.size
  }

  /** Who is known; what is asked each time has to be asked still. */
  known({ keyName }: At): Known | undefined {
    return this.#known.get(keyName)
  }

  /** As it is now, of one who is known: null when there is no such key any more, undefined when it has to be read. */
  async ask(at: At, { owner, summedAt }: Known): Promise<SubscriptionOwner | null | undefined> {
    const isStill = this.#moved.areStill(owner.counted, summedAt)
    if (!isStill || owner.options.length > 0) return this.#askWhole(at, owner, isStill)
    const row = await this.#standings.one(at)
    if (!row) return this.#forget(at)
    if (row.revision !== owner.revision) return undefined
    return isNothingNew(row, owner) ? owner : { ...owner, ...row }
  }

  async read(at: At): Promise<SubscriptionOwner | undefined> {
    const { moment } = this.#moved
    const owner = await findOwner(this.#db, at.keyHash, at.device, at.now)
    this.#remember(at, owner, moment)
    return owner
  }

  /** With the live options, and with the traffic if that has moved. */
  async #askWhole(
    at: At,
    owner: SubscriptionOwner,
    isStill: boolean,
  ): Promise<SubscriptionOwner | null | undefined> {
    const { moment } = this.#moved
    const { keyHash, device, now } = at
    const live = owner.options.filter(({ expires_at }) => expires_at > now)
    const termIds = live.map(({ term_id }) => term_id)
    const asked = [keyHash, device?.hash ?? null, device?.panelHash ?? null, termIds] as const
    const [row] = await (isStill
      ? standingWithOptions(this.#db, ...asked)
      : standingWithTraffic(this.#db, ...asked, owner.counted))
    if (!row) return this.#forget(at)
    if (row.revision !== owner.revision) return undefined
    const byTerm = new Map(row.options.map((option) => [option.term_id, option]))
    const options = live.map((option) => ({ ...option, ...byTerm.get(option.term_id) }))
    if (isStill) return { ...owner, ...row, options }
    const { upload = 0, download = 0 } = row
    const told = { ...owner, upload, download }
    const known = { ...told, texts: textsOf(told) }
    this.#remember(at, known, moment)
    return { ...known, ...row, options }
  }

  /** From now on it is a guess like any other. */
  #forget({ keyName }: At): null {
    this.#known.delete(keyName)
    return null
  }

  #remember({ keyName }: At, owner: SubscriptionOwner | undefined, summedAt: number): void {
    this.#known.delete(keyName)
    if (!owner) return
    if (this.#known.size >= this.#most) this.#known.delete(this.#known.keys().next().value as string)
    const options = owner.options.map((option) => ({ ...option, device_id: null, device_seen_at: null }))
    this.#known.set(keyName, { owner: { ...owner, ...nobodys, options }, summedAt })
  }
}
