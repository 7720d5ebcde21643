import type { ToldDevice } from '@sallyport/domain/delivery/device'
import { type Db, prepared } from '../../../db/client.ts'

/** Known devices that came again. Those that come while others are written go together with the next statement. */

const touchEverySeconds = 60

export const isTouchDue = (lastSeenAt: number, now: number): boolean => now - lastSeenAt >= touchEverySeconds

export interface SeenDevice {
  readonly id: number
  readonly told: ToldDevice
  readonly at: number
  /** The subscription by whose key it came to an option. */
  readonly cameBy?: number
  /** What operators find it by; undefined of what names no device. */
  readonly foundBy: Uint8Array | undefined
}

/**
 * Each at most once a minute, however many ask at once. Goes where single reads go, because it waits for nothing: not for those
 * that somebody else is changing, nor until it is on the disks. What a crash takes of it is told again with the next fetch.
 */
const touch = prepared<
  [
    ids: number[],
    at: number[],
    cameBy: (number | null)[],
    foundBy: (Uint8Array | null)[],
    names: string[],
    types: string[],
    models: string[],
    osVersions: string[],
  ],
  never
>(
  `with told as (
     select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[], $5::text[], $6::text[], $7::text[], $8::text[])
       as t (id, at, came_by, found_by, name, type, model, os_version)
   ), free as (
     select d.id from devices d join told t on t.id = d.id
     where d.last_seen_at <= t.at - ${touchEverySeconds} for no key update of d skip locked
   )
   update devices d set device_name = t.name, device_type = t.type, device_model = t.model, os_version = t.os_version,
     last_seen_at = t.at, found_by = coalesce(t.found_by, d.found_by),
     came_by = case when t.came_by is null then d.came_by else array_remove(d.came_by, t.came_by) || t.came_by end
   from told t join free f on f.id = t.id, (select set_config('synchronous_commit', 'off', true)) as soon
   where d.id = t.id`,
)

export const storeSeen = async (db: Db, seen: readonly SeenDevice[]): Promise<void> => {
  const column = <T>(of: (device: SeenDevice) => T): T[] => seen.map(of)
  await touch(
    db,
    column(({ id }) => id),
    column(({ at }) => at),
    column(({ cameBy }) => cameBy ?? null),
    column(({ foundBy }) => foundBy ?? null),
    column(({ told }) => told.name),
    column(({ told }) => told.type),
    column(({ told }) => told.model),
    column(({ told }) => told.osVersion),
  )
}

export class SeenDevices {
  readonly #db: Db
  #noted = new Map<number, SeenDevice>()
  #writing: Promise<unknown> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Until they are written. */
  note(devices: readonly SeenDevice[]): Promise<void> {
    for (const device of devices) this.#noted.set(device.id, device)
    this.#next ??= this.#writing.then(() => this.#write())
    return this.#next
  }

  #write(): Promise<void> {
    const noted = [...this.#noted.values()]
    this.#noted = new Map()
    this.#next = undefined
    const written = storeSeen(this.#db, noted)
    this.#writing = written.catch(() => undefined)
    return written
  }
}
