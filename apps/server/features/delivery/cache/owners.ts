import type { LRUCache } from 'lru-cache'
import { leastRecentlyUsed } from '../../../core/least-recent.ts'
import type { Db } from '../../../db/client.ts'
import { GatheredRow } from '../../../db/reads/gathered.ts'
import type { KeyFetch } from '../key-fetch.ts'
import { textsOf } from '../owner-texts.ts'
import {
  type CurrentState,
  changedOwnersByHash,
  currentStates,
  type OwnerRow,
  ownersByHash,
  type SubscriptionOwner,
  type WholeState,
  wholeStates,
} from '../queries.ts'
import type { ChangedTraffic } from './changed-traffic.ts'

/**
 * Whose keys have been asked for lately. Of an owner who is known each fetch reads the row of the key and of the device, which is
 * what may change without the revision, and the traffic if that has moved; the rest is read again when the revision is another
 * one.
 */

/** Some 800 bytes each. Who asks stays; who has not for longest is read again. */
const mostOwners = 100_000

type At = Pick<KeyFetch, 'keyHash' | 'keyName' | 'device' | 'now'>

export interface Known {
  readonly owner: SubscriptionOwner
  /** When its traffic was summed up, as moved terms count. */
  readonly summedAt: number
}

/** What is of the device that asked. */
const nobodys = { device_id: null, is_device_blocked: null, device_seen_at: null, has_blocked: false }

/** Of a browser, and of apps that are not kept. */
const isNothingNew = (row: CurrentState, known: SubscriptionOwner): boolean =>
  row.device_id === null &&
  row.has_blocked === known.has_blocked &&
  row.settings_version === known.settings_version &&
  row.device_limit === known.device_limit &&
  row.block_unknown_devices === known.block_unknown_devices

const readCurrentStates = (db: Db, asked: readonly At[]) =>
  currentStates(
    db,
    asked.map(({ keyHash }) => keyHash),
    asked.map(({ device }) => device?.hash ?? null),
  )

const readOwners = (db: Db, statement: typeof ownersByHash, asked: readonly At[]) =>
  statement(
    db,
    asked.map(({ keyHash }) => keyHash),
    asked.map(({ device }) => device?.hash ?? null),
    asked.map(({ device }) => device?.panelHash ?? null),
    asked.map(({ now }) => now),
  )

const areSame = (terms: readonly number[], others: readonly number[]): boolean =>
  terms.length === others.length && terms.every((term, at) => term === others[at])

interface WholeAt extends At {
  /** Terms of its live options. */
  readonly optionTerms: readonly number[]
  /** Terms whose traffic is to be summed up. */
  readonly counted: readonly number[]
}

/** The place, from 1, of whoever each of these is of. */
const placesOf = (lists: readonly (readonly unknown[])[]): number[] =>
  lists.flatMap((list, at) => list.map(() => at + 1))

const readWholeStates = (db: Db, asked: readonly WholeAt[]) =>
  wholeStates(
    db,
    asked.map(({ keyHash }) => keyHash),
    asked.map(({ device }) => device?.hash ?? null),
    asked.flatMap(({ optionTerms }) => optionTerms),
    placesOf(asked.map(({ optionTerms }) => optionTerms)),
    asked.flatMap(({ optionTerms, device }) => optionTerms.map(() => device?.panelHash ?? null)),
    asked.flatMap(({ counted }) => counted),
    placesOf(asked.map(({ counted }) => counted)),
  )

export class OwnerCache {
  readonly #moved: ChangedTraffic
  readonly #known: LRUCache<string, Known>
  readonly #owners: GatheredRow<At, OwnerRow>
  readonly #changedOwners: GatheredRow<At, OwnerRow>
  readonly #currentStates: GatheredRow<At, CurrentState>
  readonly #wholeStates: GatheredRow<WholeAt, WholeState>

  constructor(db: Db, moved: ChangedTraffic, most = mostOwners) {
    this.#owners = new GatheredRow((asked) => readOwners(db, ownersByHash, asked))
    this.#changedOwners = new GatheredRow((asked) => readOwners(db, changedOwnersByHash, asked))
    this.#moved = moved
    this.#known = leastRecentlyUsed(most)
    this.#currentStates = new GatheredRow((asked) => readCurrentStates(db, asked))
    this.#wholeStates = new GatheredRow((asked) => readWholeStates(db, asked))
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
    const row = await this.#currentStates.of(at)
    if (!row) return this.#forget(at)
    if (row.revision !== owner.revision) return undefined
    return isNothingNew(row, owner) ? owner : { ...owner, ...row }
  }

  async read(at: At): Promise<SubscriptionOwner | undefined> {
    const known = this.#known.get(at.keyName)
    const changed = known && (await this.#readChanged(at, known))
    if (changed) return changed
    const { moment } = this.#moved
    const row = await this.#owners.of(at)
    const owner = row && { ...row, texts: textsOf(row) }
    this.#remember(at, owner, moment)
    return owner
  }

  /** Without the traffic where that is known still. Undefined where all has to be read. */
  async #readChanged(at: At, { owner, summedAt }: Known): Promise<SubscriptionOwner | undefined> {
    if (owner.kind === 'custom' || !this.#moved.areStill(owner.counted, summedAt)) return undefined
    const row = await this.#changedOwners.of(at)
    if (!row || !areSame(row.counted, owner.counted)) return undefined
    const summed = { ...row, upload: owner.upload, download: owner.download }
    const changed = { ...summed, texts: textsOf(summed) }
    this.#remember(at, changed, summedAt)
    return changed
  }

  /** With the live options, and with the traffic if that has moved. */
  async #askWhole(
    at: At,
    owner: SubscriptionOwner,
    isStill: boolean,
  ): Promise<SubscriptionOwner | null | undefined> {
    const { moment } = this.#moved
    const { keyHash, keyName, device, now } = at
    const live = owner.options.filter(({ expires_at }) => expires_at > now)
    const optionTerms = live.map(({ term_id }) => term_id)
    const counted = isStill ? [] : owner.counted
    const whole = await this.#wholeStates.of({ keyHash, keyName, device, now, optionTerms, counted })
    if (!whole) return this.#forget(at)
    const { upload, download, options: ofDevice, ...row } = whole
    if (row.revision !== owner.revision) return undefined
    const byTerm = new Map(ofDevice?.map((option) => [option.term_id, option]))
    const options = live.map((option) => ({ ...option, ...byTerm.get(option.term_id) }))
    if (isStill) return { ...owner, ...row, options }
    const summed = { ...owner, upload: upload ?? 0, download: download ?? 0 }
    const known = { ...summed, texts: textsOf(summed) }
    this.#remember(at, known, moment)
    return { ...known, ...row, options }
  }

  /** From now on it is a guess like any other. */
  #forget({ keyName }: At): null {
    this.#known.delete(keyName)
    return null
  }

  #remember({ keyName }: At, owner: SubscriptionOwner | undefined, summedAt: number): void {
    if (!owner) {
      this.#known.delete(keyName)
      return
    }
    const options = owner.options.map((option) => ({ ...option, device_id: null, device_seen_at: null }))
    this.#known.set(keyName, { owner: { ...owner, ...nobodys, options }, summedAt })
  }
}
