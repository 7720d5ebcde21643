import type { Db } from '../../../db/client.ts'
import type { Asking } from '../admission.ts'
import {
  findOwner,
  type SubscriptionOwner,
  standingOfDevice,
  standingOfNameless,
  standingWithOptions,
} from '../queries.ts'

/**
 * Whose keys have been asked for lately. Of an owner who is known each fetch reads the row of the key and of the device, which is
 * what may change without the revision; the rest is read again when the revision is another one, or the traffic too old.
 */

/** Sums over all meters of a customer are the dearest part of an owner, and apps show them to people. */
const trafficSeconds = 60
/** Some 500 bytes each. */
const mostOwners = 100_000

type At = Pick<Asking, 'keyHash' | 'keyName' | 'device' | 'now'>

interface Known {
  readonly owner: SubscriptionOwner
  readonly readAt: number
}

/** What is of the device that asked. */
const nobodys = { device_id: null, is_device_blocked: null, device_seen_at: null, has_blocked: false }

const askOptions = async (
  db: Db,
  owner: SubscriptionOwner,
  { keyHash, device, now }: At,
): Promise<SubscriptionOwner | null | undefined> => {
  const live = owner.options.filter(({ expires_at }) => expires_at > now)
  const termIds = live.map(({ term_id }) => term_id)
  const [row] = await standingWithOptions(
    db,
    keyHash,
    device?.hash ?? null,
    device?.panelHash ?? null,
    termIds,
  )
  if (!row) return null
  if (row.revision !== owner.revision) return undefined
  const byTerm = new Map(row.options.map((option) => [option.term_id, option]))
  return { ...owner, ...row, options: live.map((option) => ({ ...option, ...byTerm.get(option.term_id) })) }
}

/** Of most who do not name a device. */
const isNothingNew = (row: Partial<SubscriptionOwner>, known: SubscriptionOwner): boolean =>
  row.has_blocked === known.has_blocked &&
  row.settings_version === known.settings_version &&
  row.device_limit === known.device_limit &&
  row.block_unknown_devices === known.block_unknown_devices

export class KnownOwners {
  readonly #most: number
  readonly #known = new Map<string, Known>()

  constructor(most = mostOwners) {
    this.#most = most
  }

  get size(): number {
    return this.#known.size
  }

  /** Who is known; what is asked each time has to be asked still. */
  known({ keyName, now }: At): SubscriptionOwner | undefined {
    const known = this.#known.get(keyName)
    return known && now - known.readAt < trafficSeconds ? known.owner : undefined
  }

  /** As it is now, of one who is known: null when there is no such key any more, undefined when it has to be read. */
  async ask(db: Db, at: At, known: SubscriptionOwner): Promise<SubscriptionOwner | null | undefined> {
    const { keyHash, device } = at
    if (known.options.length > 0) return askOptions(db, known, at)
    const [row] =
      device === null
        ? await standingOfNameless(db, keyHash)
        : await standingOfDevice(db, keyHash, device.hash)
    if (!row) return null
    if (row.revision !== known.revision) return undefined
    return isNothingNew(row, known) ? known : { ...known, ...row }
  }

  async read(db: Db, at: At): Promise<SubscriptionOwner | undefined> {
    const owner = await findOwner(db, at.keyHash, at.device, at.now)
    this.#remember(at, owner)
    return owner
  }

  #remember({ keyName, now }: At, owner: SubscriptionOwner | undefined): void {
    this.#known.delete(keyName)
    if (!owner) return
    if (this.#known.size >= this.#most) this.#known.delete(this.#known.keys().next().value as string)
    const options = owner.options.map((option) => ({ ...option, device_id: null, device_seen_at: null }))
    this.#known.set(keyName, { owner: { ...owner, ...nobodys, options }, readAt: now })
  }
}
