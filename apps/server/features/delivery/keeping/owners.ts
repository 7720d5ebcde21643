import type { Db } from '../../../db/client.ts'
import type { Asking } from '../admission.ts'
import {
  findOwner,
  type SubscriptionOwner,
  standingOfDevice,
  standingOfNameless,
  standingWithOptions,
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

/** What was read of an owner just now. */
type Standing = Partial<SubscriptionOwner>

const standingOf = async (
  db: Db,
  { keyHash, device }: At,
  counted: readonly number[] | undefined,
): Promise<Standing | undefined> => {
  if (device === null) {
    const { alone, withTraffic } = standingOfNameless
    return (await (counted ? withTraffic(db, keyHash, counted) : alone(db, keyHash)))[0]
  }
  const { alone, withTraffic } = standingOfDevice
  return (
    await (counted ? withTraffic(db, keyHash, device.hash, counted) : alone(db, keyHash, device.hash))
  )[0]
}

const standingOfOptions = async (
  db: Db,
  { keyHash, device, now }: At,
  options: SubscriptionOwner['options'],
  counted: readonly number[] | undefined,
): Promise<Standing | undefined> => {
  const live = options.filter(({ expires_at }) => expires_at > now)
  const termIds = live.map(({ term_id }) => term_id)
  const asked = [keyHash, device?.hash ?? null, device?.panelHash ?? null, termIds] as const
  const { alone, withTraffic } = standingWithOptions
  const [row] = await (counted ? withTraffic(db, ...asked, counted) : alone(db, ...asked))
  if (!row) return undefined
  const byTerm = new Map(row.options.map((option) => [option.term_id, option]))
  return { ...row, options: live.map((option) => ({ ...option, ...byTerm.get(option.term_id) })) }
}

/** Of most who do not name a device. */
const isNothingNew = (row: Standing, known: SubscriptionOwner): boolean =>
  row.options === undefined &&
  row.has_blocked === known.has_blocked &&
  row.settings_version === known.settings_version &&
  row.device_limit === known.device_limit &&
  row.block_unknown_devices === known.block_unknown_devices

export class KnownOwners {
  readonly #moved: MovedTerms
  readonly #most: number
  readonly #known = new Map<string, Known>()

  constructor(moved: MovedTerms, most = mostOwners) {
    this.#moved = moved
    this.#most = most
  }

  get size(): number {
    return this.#known.size
  }

  /** Who is known; what is asked each time has to be asked still. */
  known({ keyName }: At): Known | undefined {
    return this.#known.get(keyName)
  }

  /** As it is now, of one who is known: null when there is no such key any more, undefined when it has to be read. */
  async ask(db: Db, at: At, { owner, summedAt }: Known): Promise<SubscriptionOwner | null | undefined> {
    const { options, counted } = owner
    const isStill = this.#moved.areStill(counted, summedAt)
    const summed = isStill ? undefined : counted
    const { moment } = this.#moved
    const row = await (options.length === 0
      ? standingOf(db, at, summed)
      : standingOfOptions(db, at, options, summed))
    if (!row) {
      // From now on it is a guess like any other.
      this.#known.delete(at.keyName)
      return null
    }
    if (row.revision !== owner.revision) return undefined
    if (isStill) return isNothingNew(row, owner) ? owner : { ...owner, ...row }
    const { upload = 0, download = 0 } = row
    const told = { ...owner, upload, download }
    const known = { ...told, texts: textsOf(told) }
    this.#remember(at, known, moment)
    return { ...known, ...row }
  }

  async read(db: Db, at: At): Promise<SubscriptionOwner | undefined> {
    const { moment } = this.#moved
    const owner = await findOwner(db, at.keyHash, at.device, at.now)
    this.#remember(at, owner, moment)
    return owner
  }

  #remember({ keyName }: At, owner: SubscriptionOwner | undefined, summedAt: number): void {
    this.#known.delete(keyName)
    if (!owner) return
    if (this.#known.size >= this.#most) this.#known.delete(this.#known.keys().next().value as string)
    const options = owner.options.map((option) => ({ ...option, device_id: null, device_seen_at: null }))
    this.#known.set(keyName, { owner: { ...owner, ...nobodys, options }, summedAt })
  }
}
