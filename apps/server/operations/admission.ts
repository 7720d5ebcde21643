import { ApiError, type Problem, reauthenticationRequired, tooManyRequests } from '@sallyport/contract/errors'
import { globalLimit, isForToken, type Limit, type Operation, rolesOf } from '@sallyport/contract/operation'
import { ipKey } from '@sallyport/domain/identity/ip-key'
import { provedUntil } from '../core/operators/sessions.ts'
import type { Clock } from '../ports/clock.ts'
import type { Limiter, Taken } from '../ports/limiter.ts'
import { type Actor, isKindFor, notAnApiKey } from './actor.ts'

/** Whether somebody may call an operation, and so often. */

const globalBucket = { name: 'global', limit: globalLimit }

const bucketOf = (name: string, row: Operation): { name: string; limit: Limit } | undefined => {
  if (row.limit === 'none') return undefined
  return row.limit === 'global' ? globalBucket : { name, limit: row.limit }
}

/** Why a caller with a good credential may still not call this, or null. */
const refusal = (name: string, row: Operation, actor: Actor): Problem | null => {
  if (actor.kind === 'operator' && !rolesOf(row).includes(actor.role)) {
    return { path: 'Authorization', problem: `needs the role ${rolesOf(row).join(' or ')}` }
  }
  if (actor.kind === 'operator' && !isForToken(name, actor.operations)) {
    return { path: 'Authorization', problem: `this token was not made for ${name}` }
  }
  if (actor.kind !== 'customer') return null
  if (actor.isBlocked) return { path: '', problem: 'the account is blocked; write to support' }
  return row.auth === 'session' && actor.sessionId === undefined ? notAnApiKey : null
}

/** A person who is signed in and has not proved for a while that it is them. Programs prove nothing. */
const hasToProve = ({ reauthenticates }: Operation, actor: Actor, clock: Clock): boolean =>
  reauthenticates === true &&
  actor.kind === 'operator' &&
  actor.session !== undefined &&
  provedUntil(actor.session, clock.now()) === null

/** Told how the bucket stands, before anybody is refused for it. */
export type OnTaken = (taken: Taken) => void

export type Admit = (
  actor: Actor | undefined,
  from: { readonly ip: string },
  onTaken?: OnTaken,
) => Promise<void>

/** Limits by customer; by address where anybody may call. */
export const admission = (
  name: string,
  row: Operation,
  { limiter, clock }: { readonly limiter: Limiter; readonly clock: Clock },
): Admit => {
  const bucket = bucketOf(name, row)
  const isForAnybody = row.auth === 'public' || row.auth === 'visitor'
  const take = async (key: string, limit: Limit, onTaken: OnTaken | undefined): Promise<void> => {
    const pending = limiter.take(key, limit)
    const taken = pending instanceof Promise ? await pending : pending
    onTaken?.(taken)
    if (!taken.isAllowed) throw tooManyRequests(taken.retryAfterSeconds)
  }
  return async (actor, from, onTaken) => {
    if (isForAnybody) {
      if (bucket) await take(`${bucket.name}:ip:${ipKey(from.ip)}`, bucket.limit, onTaken)
      return
    }
    if (!actor || !isKindFor(row.auth, actor)) throw new ApiError('UNAUTHORIZED')
    const reason = refusal(name, row, actor)
    // Whoever may not call it does not use up what those who may have of it.
    const charged = bucket && reason ? globalBucket : bucket
    const who = actor.kind === 'node' ? 'node' : 'user'
    if (charged) await take(`${charged.name}:${who}:${actor.id}`, charged.limit, onTaken)
    if (reason) throw new ApiError('FORBIDDEN', [reason])
    if (hasToProve(row, actor, clock)) throw reauthenticationRequired()
  }
}
