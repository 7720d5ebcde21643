import { type Db, inTransaction } from '../../db/client.ts'
import type { Log } from '../../ports/log.ts'
import type { Job, Progress } from '../kernel/jobs.ts'
import { listOptionsWith } from '../options/option-catalogue.ts'
import type { Mover } from '../vpn/operations/move-access.ts'
import { alikeIn, listLeft, noteFailures, Shut } from './drain-failures.ts'
import { takeStep } from './drain-step.ts'
import { countOn, endDrain, hasCopies, listRunning, lockDrain } from './drains.ts'
import { replaceInOptions } from './option-servers.ts'

/** Empties servers, one access at a time. Whoever is killed in between goes on where it was; two at once do not harm. */

type Parts = Omit<Mover, 'now'> & { readonly db: Db; readonly log: Log; readonly stopping?: AbortSignal }

/** So many of one server before it is the next one's turn. */
const batchSize = 50

/** Then a new run begins, which knows better what time it is and who is online, and tries again what failed. */
const runMs = 60_000

/** What could not move by itself is tried again after this long. */
const againSeconds = 60

/** How far a server has come in this round. */
interface Round {
  after: number
  readonly shut: Shut
}

/** What belongs to options without another server is noted at once, and not tried. */
const begin = async ({ db }: Parts, serverId: number, now: number): Promise<Round> => {
  const shut = new Shut()
  for (const [optionId, reason] of await replaceInOptions(db, { server_id: serverId }, now)) {
    const alike = { optionId }
    await noteFailures(db, { serverId, alike, reason }, now)
    shut.add(alike)
  }
  return { after: 0, shut }
}

/** True when there is more. One that fails keeps no other waiting, and is taken again. */
const takeBatch = async (
  parts: Parts,
  serverId: number,
  round: Round,
  { now, progress }: { readonly now: number; readonly progress: Progress },
): Promise<boolean> => {
  const { db, log, stopping } = parts
  const { after, shut } = round
  const page = { after, failedBefore: now - againSeconds, shut: shut.all, limit: batchSize }
  const batch = await listLeft(db, serverId, page)
  for (const left of batch) {
    if (stopping?.aborted) return false
    round.after = left.id
    if (shut.has(left)) continue
    try {
      const came = await takeStep(db, { ...parts, now }, { serverId, accessId: left.id })
      progress()
      if (came === 'over') return false
      if (came === 'taken') continue
      const alike = alikeIn(left)
      shut.add(alike)
      await noteFailures(db, { serverId, alike, reason: came.message }, now)
    } catch (err) {
      log.error({ err, access: left.id, server: serverId }, 'an access could not be moved from its server')
    }
  }
  return batch.length === batchSize
}

/** Nobody is there, no app needs it any more, and nothing is sold that would put somebody there. */
const settle = (db: Db, serverId: number, now: number): Promise<void> =>
  inTransaction(db, async (tx) => {
    const drain = await lockDrain(tx, serverId)
    if (drain?.state !== 'running') return
    if ((await countOn(tx, serverId)) > 0 || (await hasCopies(tx, serverId))) return
    if ((await listOptionsWith(tx, serverId)).length > 0) return
    await endDrain(tx, serverId, 'done', now)
  })

/** Servers take turns, also those that an operator begins to empty meanwhile. */
export const emptyServers = async (
  parts: Parts,
  now: number,
  progress: Progress = () => undefined,
): Promise<void> => {
  const rounds = new Map<number, Round | 'done'>()
  const takeTurn = async (serverId: number): Promise<void> => {
    const round = rounds.get(serverId)
    if (round === 'done') return
    rounds.set(serverId, 'done')
    const begun = round ?? (await begin(parts, serverId, now))
    if (await takeBatch(parts, serverId, begun, { now, progress })) rounds.set(serverId, begun)
    else await settle(parts.db, serverId, now)
  }
  const until = performance.now() + runMs
  for (let isMore = true; isMore && performance.now() < until && !parts.stopping?.aborted; ) {
    const running = await listRunning(parts.db)
    for (const { server_id: serverId } of running) {
      try {
        await takeTurn(serverId)
      } catch (err) {
        parts.log.error({ err, server: serverId }, 'a server could not be emptied any further')
      }
    }
    isMore = running.some(({ server_id: serverId }) => rounds.get(serverId) !== 'done')
  }
}

export const emptyServersJob: Job<Parts> = { name: 'empty servers', everySeconds: 10, run: emptyServers }
