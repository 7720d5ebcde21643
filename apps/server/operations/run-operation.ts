import { ApiError } from '@sallyport/contract/errors'
import type { Operation } from '@sallyport/contract/operation'
import type { Call, Handler, Services } from '../core/call.ts'
import type { Change } from '../core/kernel/audit.ts'
import { AwaitingLink } from '../core/sales/awaiting-link.ts'
import { obtainLink } from '../core/settlement/payment-links.ts'
import type { Db } from '../db/client.ts'
import type { Limiter } from '../ports/limiter.ts'
import { type Actor, visitorOf } from './actor.ts'
import { type Admit, admission } from './admission.ts'
import { type Answer, answerer, linkAnswerer } from './answer.ts'
import { auditing } from './auditing.ts'
import { checkValues, usualMostValues } from './checked-values.ts'
import { csvAnswerer } from './csv.ts'
import { failureOf } from './failure.ts'
import { guessing } from './guessing.ts'
import { answerOnce } from './idempotency.ts'
import { missingFirst } from './missing-first.ts'
import { buildCall, type OperationInput } from './operation-input.ts'

/**
 * What happens to a row, whoever calls it: HTTP, and whatever else runs in this process. Each step is declared in the row;
 * a step that a row does not declare costs it nothing.
 */

export interface NamedRow {
  readonly name: string
  readonly base: string
  readonly row: Operation
}

export interface RunnerParts {
  readonly services: Services
  readonly limiter: Limiter
}

/** The rest of an operation once its caller is admitted. */
type Perform = (actor: Actor | undefined, input: OperationInput, key?: string) => Promise<Answer>

export interface RunnableOperation extends NamedRow {
  /** Whether this caller may, and so often. */
  readonly admit: Admit
  /** All after that, for who reads what is said only once it is admitted. */
  readonly perform: Perform
  /** Both. Fails with an ApiError, and nothing else. */
  readonly run: Perform
}

/** Runs the handler in the call's transaction, or in one of its own. */
const handling = ({ name, row }: NamedRow, handler: Handler<Operation>) => {
  const answer = answerer(row)
  const audit = row.audit && auditing(name, row, row.audit)
  return async (call: Call<Operation>): Promise<Answer | AwaitingLink> => {
    const given: unknown = await handler(call)
    if (given instanceof AwaitingLink) return given
    if (!audit) return answer(given)
    const { data, note } = await audit(call, given as Change<unknown>)
    return note ? answer(data) : { ...answer(data), isPreview: true }
  }
}

/** Runs the handler once for a key, and obtains the payment link when that is committed. */
const completing = (named: NamedRow, handler: Handler<Operation>, services: Services) => {
  const { name, row } = named
  const handle = handling(named, handler)
  const answerLink = linkAnswerer(row)
  return async (
    call: Call<Operation>,
    actor: Actor | undefined,
    key: string | undefined,
  ): Promise<Answer> => {
    const withLink = async ({ paymentId }: AwaitingLink): Promise<Answer> =>
      answerLink(await obtainLink(services, paymentId, call.now))
    if (key === undefined || !row.idempotent) {
      const given = await handle(call)
      return given instanceof AwaitingLink ? withLink(given) : given
    }
    const { db, vault } = services
    const once = { db, vault, now: call.now, actor: `${actor?.kind}:${actor?.id}`, key, operation: name }
    const work = (tx: Db) => handle({ ...call, db: tx })
    return answerOnce({ ...once, request: [call.params, call.body] }, work, withLink)
  }
}

/** A standby cancels what is in the way of what it follows, and may go away: then the primary is asked, as without one. */
const onOlder = async (services: Services, work: (at: Services) => Promise<Answer>): Promise<Answer> => {
  const db = services.olderDb()
  if (db === services.db) return work(services)
  try {
    return await work({ ...services, db })
  } catch (error) {
    if (error instanceof ApiError) throw error
    return work(services)
  }
}

const performing = (named: NamedRow, handler: Handler<Operation>, services: Services): Perform => {
  const { base, name, row } = named
  const orMissing = missingFirst(base, row, services)
  const counted = guessing(row, services)
  const complete = completing(named, handler, services)
  const asCsv = row.csv && csvAnswerer(name, row, handler)
  const performOn = async (at: Services, ...[actor, input, key]: Parameters<Perform>): Promise<Answer> => {
    const call = buildCall(row, at, actor, input)
    if (asCsv && input.wantsCsv) return asCsv(call)
    return counted(call, actor, () => complete(call, actor, key))
  }
  return async (...asked) => {
    const [actor, input] = asked
    const mayBeOld = row.mayBeOld || (asCsv && input.wantsCsv)
    try {
      return await (mayBeOld
        ? onOlder(services, (at) => performOn(at, ...asked))
        : performOn(services, ...asked))
    } catch (error) {
      return await orMissing(error, actor, input.params ?? {})
    }
  }
}

/** What an operation knows of its caller. */
const knownTo = ({ auth }: Operation, actor: Actor | undefined): Actor | undefined => {
  if (auth === 'public') return undefined
  return auth === 'visitor' ? visitorOf(actor) : actor
}

export const runnableOperation = (
  named: NamedRow,
  handler: Handler<Operation>,
  { services, limiter }: RunnerParts,
): RunnableOperation => {
  const { name, row } = named
  const admit = admission(name, row, { limiter, clock: services.clock })
  const perform = performing(named, handler, services)
  const run: Perform = async (actor, input, key) => {
    try {
      await admit(actor, input)
      checkValues(input.body, usualMostValues)
      return await perform(knownTo(row, actor), input, key)
    } catch (thrown) {
      const error = failureOf(thrown)
      if (error !== thrown) services.log.error({ err: thrown, operation: name }, 'an operation failed')
      throw error
    }
  }
  return { ...named, admit, perform, run }
}
