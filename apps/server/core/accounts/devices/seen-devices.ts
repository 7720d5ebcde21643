import type { ToldDevice } from '@sallyport/domain/delivery/device'
import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

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
 * Each at most once a minute, however many ask at once. Nobody waits for those that somebody else is changing, nor until it is on
 * the disks: what a crash takes of this is told again with the next fetch.
 */
export const storeSeen = async (db: Db, seen: readonly SeenDevice[]): Promise<void> => {
  const column = <T>(of: (device: SeenDevice) => T): T[] => seen.map(of)
  await sql`
    with told as (
      select * from unnest(${column(({ id }) => id)}::bigint[], ${column(({ at }) => at)}::bigint[],
        ${column(({ cameBy }) => cameBy ?? null)}::bigint[], ${column(({ foundBy }) => foundBy ?? null)}::bytea[],
        ${column(({ told }) => told.name)}::text[], ${column(({ told }) => told.type)}::text[],
        ${column(({ told }) => told.model)}::text[], ${column(({ told }) => told.osVersion)}::text[])
        as t (id, at, came_by, found_by, name, type, model, os_version)
    ), free as (
      select d.id from devices d join told t on t.id = d.id
      where d.last_seen_at <= t.at - ${touchEverySeconds}::bigint for no key update of d skip locked
    )
    update devices d set device_name = t.name, device_type = t.type, device_model = t.model, os_version = t.os_version,
      last_seen_at = t.at, found_by = coalesce(t.found_by, d.found_by),
      came_by = case when t.came_by is null then d.came_by else array_remove(d.came_by, t.came_by) || t.came_by end
    from told t join free f on f.id = t.id, (select set_config('synchronous_commit', 'off', true)) as soon
    where d.id = t.id`.execute(db)
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
