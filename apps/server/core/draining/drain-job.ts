import { type Db, inTransaction } from '../../db/client.ts'
import type { Log } from '../../ports/log.ts'
import type { Job, Progress } from '../kernel/jobs.ts'
import type { Mover } from '../vpn/operations/move-access.ts'
import { takeStep } from './drain-step.ts'
import { countOn, type Drain, endDrain, hasCopies, listLeft, listRunning, lockDrain } from './drains.ts'
import { replaceInOptions } from './option-servers.ts'

/** Empties servers, one access at a time. Whoever is killed in between goes on where it was; two at once do not harm. */

type Parts = Omit<Mover, 'now'> & { readonly db: Db; readonly log: Log; readonly stopping?: AbortSignal }

const pageSize = 200
/** What could not move is tried again after this long. */
const againSeconds = 60

/** One that fails keeps no other waiting, and is taken again. */
const takeAll = async (
  parts: Parts,
  { server_id: serverId }: Drain,
  now: number,
  progress?: Progress,
): Promise<void> => {
  const { db, log, stopping } = parts
  const unreplaced = await replaceInOptions(db, { server_id: serverId }, now)
  for (let after = 0; ; ) {
    const page = { after, failedBefore: now - againSeconds, limit: pageSize }
    const ids = await listLeft(db, serverId, page)
    for (const accessId of ids) {
      if (stopping?.aborted) return
      try {
        if (!(await takeStep(db, { ...parts, now }, { serverId, accessId, unreplaced }))) return
        progress?.()
      } catch (err) {
        log.error({ err, access: accessId, server: serverId }, 'an access could not be moved from its server')
      }
    }
    if (ids.length < pageSize) return
    after = ids.at(-1) as number
  }
}

/** Nobody is there, and no app needs it any more. */
const settle = (db: Db, serverId: number, now: number): Promise<void> =>
  inTransaction(db, async (tx) => {
    const drain = await lockDrain(tx, serverId)
    if (drain?.state !== 'running') return
    if ((await countOn(tx, serverId)) > 0 || (await hasCopies(tx, serverId))) return
    await endDrain(tx, serverId, 'done', now)
  })

export const emptyServers = async (parts: Parts, now: number, progress?: Progress): Promise<void> => {
  for (const drain of await listRunning(parts.db)) {
    await takeAll(parts, drain, now, progress)
    await settle(parts.db, drain.server_id, now)
  }
}

export const emptyServersJob: Job<Parts> = { name: 'empty servers', everySeconds: 10, run: emptyServers }
