import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../db/client.ts'
import type { Log } from '../../../ports/log.ts'
import { isBlocked } from '../../accounts/users.ts'
import { matchAlerts } from '../../kernel/alerts.ts'
import { takeDue } from '../../kernel/due-rows.ts'
import type { Job } from '../../kernel/jobs.ts'
import type { Products } from '../../sales/products.ts'
import { moveEnds, runDays, stopDays } from '../../terms/stopped-days.ts'
import { lockTermById, type Term } from '../../terms/terms.ts'
import type { Mover } from '../operations/move-access.ts'
import {
  findStopped,
  findUncarried,
  leaveBehind,
  listFailing,
  noteTold,
  readStandstill,
  type Uncarried,
} from './failed-accesses.ts'
import { type Teller, tellMoved, tellOne, tellStopped } from './failover-notices.ts'
import { moveElsewhere, standAnew } from './relocation.ts'

/** What is sold and not carried: it goes where it can be, or its customer is told and pays nothing for the time. */

type Parts = Omit<Mover, 'now'> & { readonly db: Db; readonly log: Log; readonly products: Products }
type At = Mover & Teller

const takenAtOnce = 200
/** What finds no other place is looked at again after this long, and so is what failed. */
const againSeconds = 300

/** What has ended, is paused or belongs to a closed account is taken from its node anyway. */
const lockRunning = async (tx: Db, termId: number): Promise<Term | undefined> => {
  const term = await lockTermById(tx, termId)
  if (term?.state !== 'active' || term.paused !== null) return undefined
  return (await isBlocked(tx, term.user_id)) ? undefined : term
}

/** What has left the node that spoke of it is another's to carry. */
const move = (db: Db, at: At, termId: number, accessId: number): Promise<void> =>
  inTransaction(db, async (tx) => {
    const term = await lockRunning(tx, termId)
    const [row] = term ? await findUncarried(tx, [accessId]) : []
    if (!term || !row) return
    if (row.present_node_id !== row.node_id) return leaveBehind(tx, accessId, at.now)
    const moved = await moveElsewhere(tx, at, term, row)
    if (moved) await tellMoved(tx, at, term, row, moved.hasLostProxy)
  })

/** Told once, of all that it has or of the one that does not work. */
const settle = async (tx: Db, at: At, term: Term, left: readonly Uncarried[]): Promise<void> => {
  const untold = left.filter((row) => row.told_at === null)
  for (const row of untold) await noteTold(tx, row.access_id, at.now)
  const { is_whole, began } = await readStandstill(tx, term.id)
  const isStopped = is_whole && began !== null && (await stopDays(tx, term.id, began))
  if (isStopped && untold.length > 0) return tellStopped(tx, at, term, began)
  for (const row of untold) await tellOne(tx, at, term, row)
}

/** What found no other place. */
const stay = (db: Db, at: At, termId: number, ids: readonly number[]): Promise<void> =>
  inTransaction(db, async (tx) => {
    const term = await lockRunning(tx, termId)
    const left = term ? await findUncarried(tx, ids) : []
    if (!term || left.length === 0) return
    for (const row of left) if (row.told_at === null) await standAnew(tx, at, row)
    await settle(tx, at, term, left)
  })

const termsOf = async (db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number[]>> => {
  const rows = await db
    .selectFrom('accesses')
    .select(['id', 'term_id'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  const byTerm = Map.groupBy(rows, (row) => row.term_id)
  return new Map([...byTerm].map(([term, accesses]) => [term, accesses.map((access) => access.id)]))
}

/** Whoever takes a row has it for the time until it is looked at again, so that rivals pass it by. */
const lookAtDue = async (parts: Parts, now: number): Promise<void> => {
  const { db, log } = parts
  // One that fails keeps no other waiting, and is taken again.
  const quietly = (work: Promise<void>): Promise<void> =>
    work.catch((err) => log.error({ err }, 'what is not carried could not be looked after'))
  const due = {
    table: 'uncarried',
    key: 'access_id',
    column: 'next_step_at',
    leaseSeconds: againSeconds,
  } as const
  for (;;) {
    const open = sql`carried_at is null`
    const taken = await takeDue<{ access_id: number }>(db, { ...due, where: open, limit: takenAtOnce, now }, [
      'access_id',
    ])
    if (taken.length === 0) return
    const ids = taken.map((row) => row.access_id)
    for (const [termId, accessIds] of await termsOf(db, ids)) {
      for (const id of accessIds) await quietly(move(db, { ...parts, now }, termId, id))
      await quietly(stay(db, { ...parts, now }, termId, accessIds))
    }
  }
}

/** Something of it is carried again, or it is off for another reason. */
const runAgain = async ({ db }: Parts, now: number): Promise<void> => {
  for (const id of await findStopped(db)) {
    await inTransaction(db, async (tx) => {
      const term = await lockTermById(tx, id)
      if (!term) return
      const { is_whole, began, ended } = await readStandstill(tx, id)
      if (is_whole && term.state === 'active' && term.paused === null) return
      await runDays(tx, term, { began: began ?? now, ended: ended ?? now })
    })
  }
}

const tellOperator = (db: Db, now: number): Promise<void> =>
  inTransaction(db, async (tx) => {
    const findings = (await listFailing(tx)).map(({ since, ...details }) => ({
      subject: `server:${details.server_id}`,
      details,
      since,
    }))
    await matchAlerts(tx, 'not_carried', findings, now)
  })

export const keepCarried = async (parts: Parts, now: number): Promise<void> => {
  await lookAtDue(parts, now)
  await runAgain(parts, now)
  await moveEnds(parts.db, now)
  await tellOperator(parts.db, now)
}

export const keepCarriedJob: Job<Parts> = { name: 'keep carried', everySeconds: 10, run: keepCarried }
