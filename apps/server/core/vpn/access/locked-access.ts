import type { AwgParameters } from '@sallyport/contract/agent/agent'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { Protocol, SwitchName } from '@sallyport/contract/shapes'
import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { lockTerm, lockTerms, type Pause, type Term } from '../../terms/terms.ts'
import { flagsColumn } from './flags.ts'
import { type AccessOwner, isOwned } from './owner.ts'

/** An access whose term is locked, so that nobody else changes either until the transaction ends. */
export interface LockedAccess {
  readonly id: number
  readonly term: Term
  readonly server_id: number
  readonly node_id: number
  readonly location_id: number
  /** On a machine of one's own it may be a proxy's: whoever reaches those too asks standalone-proxies.ts first. */
  readonly protocol: Protocol
  readonly options: SwitchName[]
  readonly flags: string[]
  readonly port: number | null
  readonly tunnel_host: number | null
  readonly awg: AwgParameters | null
  readonly credential_nonce: Uint8Array
  /** Among those that came with the term; null of one that was added, or that is sold alone. */
  readonly position: number | null
}

type AccessColumns = Omit<LockedAccess, 'term'>

/** Read once the term is locked, or what was moved meanwhile would be seen where it was. */
export const readAccess = async (
  tx: Db,
  term: Term,
  id: number,
  isProxy = false,
): Promise<LockedAccess | undefined> => {
  const { rows } = await sql<AccessColumns>`
    select a.id, a.server_id, s.node_id, a.location_id, a.protocol, a.options, ${sql.raw(flagsColumn('t.user_id', 'a'))} as flags, a.port, a.tunnel_host, a.awg,
      a.credential_nonce, a.position
    from accesses a join servers s on s.id = a.server_id join terms t on t.id = a.term_id
    where a.id = ${id}::bigint and a.term_id = ${term.id}::bigint and a.beside_id is null
      and a.is_proxy = ${isProxy}`.execute(tx)
  const [row] = rows
  return row && { ...row, term }
}

/** Before each of them is locked by itself: together they are locked in the order of all. Of one customer, where others' are not to be touched. */
export const lockTermsOfAccesses = async (tx: Db, ids: readonly number[], userId?: number): Promise<void> => {
  const isTheirs = userId === undefined ? sql`` : sql`and t.user_id = ${userId}::bigint`
  const which = sql`t.id = any(array(select term_id from accesses where id = any(${[...ids]}::bigint[]))) ${isTheirs}`
  // They may be all of a server, and to look each up in the list of all would take seconds.
  await lockTerms(tx, which, sql`false`)
}

/** A configuration, or a proxy that stands by itself. */
export const lockAccess = async (
  tx: Db,
  owner: AccessOwner,
  id: number,
  isProxy = false,
): Promise<LockedAccess | undefined> => {
  const term = await lockTerm(
    tx,
    sql`t.id = (select term_id from accesses where id = ${id}::bigint) and ${isOwned(owner)}`,
  )
  return term && readAccess(tx, term, id, isProxy)
}

const pausedProblems: Readonly<Record<Pause, string>> = {
  quota:
    'is switched off because its traffic is used up; raise the limit where the option allows it, or wait for the next 30 days',
  operator: 'is switched off by the operator; write to support',
}

export const requireOn = (
  term: Pick<Term, 'state' | 'expires_at' | 'paused'>,
  now: number,
  path: string,
): void => {
  if (term.state !== 'active' || term.expires_at <= now) throw badRequest(path, 'has ended; renew it first')
  if (term.paused !== null) throw badRequest(path, pausedProblems[term.paused])
}

/** One that is being served; what has ended can be renewed but not changed. */
export const lockLive = async (
  tx: Db,
  owner: AccessOwner,
  id: number,
  now: number,
  path = 'config_id',
): Promise<LockedAccess> => {
  const access = await lockAccess(tx, owner, id)
  if (!access) throw new ApiError('NOT_FOUND')
  requireOn(access.term, now, path)
  return access
}
