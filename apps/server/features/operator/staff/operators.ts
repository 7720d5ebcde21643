import { ApiError, conflict } from '@sallyport/contract/errors'
import { isForToken, type Operation, rolesOf } from '@sallyport/contract/operation'
import type { operatorRows } from '@sallyport/contract/operator/staff/operators'
import { operationsOf, tablesFor } from '@sallyport/contract/tables'
import { readEmail } from '@sallyport/domain/identity/email-address'
import type { Call, Handlers } from '../../../core/call.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { operatorPasskeys } from '../../../core/kernel/passkeys/store.ts'
import { tellOfAccess } from '../../../core/operators/access-letters.ts'
import { makeSignInLink } from '../../../core/operators/links.ts'
import { idleEndOf, lockActiveOperator, provedUntil } from '../../../core/operators/sessions.ts'
import { afterCommit, type Db } from '../../../db/client.ts'
import { isUniqueViolation } from '../../../db/driver.ts'
import { usualPage } from '../common/search.ts'
import { requireVersion } from '../common/versions.ts'
import {
  insertOperator,
  listOperators,
  lockWithOwners,
  type OperatorFields,
  type OperatorRow,
  readOperator,
  updateOperator,
} from './operator-queries.ts'

const readGiven = (email: string | null | undefined): string | null | undefined =>
  typeof email === 'string' ? readEmail(email) : email

const refuseTaken = (error: unknown): never => {
  if (!isUniqueViolation(error, 'operators_email')) throw error
  throw conflict('email', 'is the address of another operator')
}

/** Somebody has to be able to let others in. */
const requireOwnerLeft = (before: OperatorRow, after: OperatorFields, otherOwners: number): void => {
  const isOwner = ({ role, is_active }: OperatorFields) => role === 'owner' && is_active
  if (otherOwners > 0 || !isOwner(before) || isOwner(after)) return
  const path = after.is_active ? 'role' : 'is_active'
  throw conflict(path, 'is of the last owner who is active; make somebody else an owner first')
}

type CallOf<Name extends keyof typeof operatorRows> = Call<(typeof operatorRows)[Name]>

/** What this caller may call, with what it came with. */
const mayCall = ({ operatorRole, operatorOperations }: CallOf<'showMe'>): string[] => {
  const isAllowed = (name: string, row: Operation) =>
    row.auth === 'operator' && rolesOf(row).includes(operatorRole) && isForToken(name, operatorOperations)
  return [...operationsOf(tablesFor('operator'))]
    .filter(({ name, row }) => isAllowed(name, row))
    .map(({ name }) => name)
}

/** A link for somebody, who is told of it by whom it was made. */
const giveLink = async (
  tx: Db,
  call: CallOf<'createOperator'> | CallOf<'createSignInLink'>,
  operatorId: number,
) => {
  const { publicUrl, now } = call
  const made = await makeSignInLink(tx, { operatorId, publicUrl: publicUrl(), now })
  await tellOfAccess(tx, call, { operatorId, by: call.operatorId, news: { kind: 'link' } })
  return made
}

export const operatorHandlers: Handlers<typeof operatorRows> = {
  showMe: async (call) => {
    const { db, operatorId, operatorSession: session, now } = call
    const me = await readOperator(db, operatorId)
    if (!me) throw new ApiError('UNAUTHORIZED')
    return {
      ...me,
      operations: mayCall(call),
      passkeys: await operatorPasskeys.list(db, operatorId),
      signed_in_at: session?.createdAt ?? null,
      session_expires_at: session ? idleEndOf(session, now) : null,
      proved_until: session ? provedUntil(session, now) : null,
    }
  },

  listOperators: ({ db, query: { before, limit = usualPage } }) => listOperators(db, { before, limit }),

  createOperator: (call) => {
    const { body, now } = call
    return async (tx) => {
      const { name, role, is_active = true, wants_alerts = true } = body
      const fields = { name, role, is_active, wants_alerts, email: readGiven(body.email) ?? null }
      const id = await insertOperator(tx, fields, now).catch(refuseTaken)
      const made = is_active ? await giveLink(tx, call, id) : null
      const after = (await readOperator(tx, id)) as OperatorRow
      const link = { sign_in_link: made?.link ?? null, link_expires_at: made?.expiresAt ?? null }
      return audited({ ...after, ...link }, { id, after })
    }
  },

  changeOperator: (call) => {
    const { bus, params, body, now } = call
    const { id } = params
    return async (tx) => {
      const { operator: before, otherOwners } = await lockWithOwners(tx, id)
      if (!before) throw new ApiError('NOT_FOUND')
      const { version, email, ...changes } = body
      requireVersion(version, before)
      const given = readGiven(email)
      const fields = { ...before, ...changes, email: given === undefined ? before.email : given }
      requireOwnerLeft(before, fields, otherOwners)
      await updateOperator(tx, id, fields, now).catch(refuseTaken)
      if (before.email !== null && before.email !== fields.email) {
        const told = { operatorId: id, by: call.operatorId, to: before.email }
        await tellOfAccess(tx, call, { ...told, news: { kind: 'email' } })
      }
      // Others hear it from the database.
      afterCommit(() => bus.deliver(`auth:o:${id}`))
      const after = (await readOperator(tx, id)) as OperatorRow
      return audited(after, { before, after })
    }
  },

  createSignInLink: (call) => {
    const { id } = call.params
    return async (tx) => {
      if (!(await readOperator(tx, id))) throw new ApiError('NOT_FOUND')
      if (!(await lockActiveOperator(tx, id))) throw conflict('id', 'is switched off; switch them on first')
      const { link, expiresAt } = await giveLink(tx, call, id)
      return audited({ sign_in_link: link, expires_at: expiresAt }, { after: { expires_at: expiresAt } })
    }
  },
}
