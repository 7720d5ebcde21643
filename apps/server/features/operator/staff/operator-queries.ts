import type { Role } from '@sallyport/contract/operation'
import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

/** Those who run the service. There are few of them, and never none who may everything. */

const shown = (db: Db) =>
  db.selectFrom('operators as o').select((eb) => [
    'o.id',
    'o.name',
    'o.email',
    'o.role',
    sql<boolean>`o.revoked_at is null`.as('is_active'),
    'o.wants_alerts',
    eb
      .exists(eb.selectFrom('operator_passkeys as p').select('p.id').whereRef('p.operator_id', '=', 'o.id'))
      .$castTo<boolean>()
      .as('has_passkey'),
    'o.signed_in_at',
    'o.created_at',
    'o.version',
  ])

export const readOperator = (db: Db, id: number) => shown(db).where('o.id', '=', id).executeTakeFirst()
export type OperatorRow = NonNullable<Awaited<ReturnType<typeof readOperator>>>

export const listOperators = (
  db: Db,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<OperatorRow[]> =>
  shown(db)
    .$if(before !== undefined, (query) => query.where('o.id', '<', before as number))
    .orderBy('o.id', 'desc')
    .limit(limit)
    .execute()

/** What people decide about an operator. */
export interface OperatorFields {
  readonly name: string
  readonly email: string | null
  readonly role: Role
  readonly is_active: boolean
  readonly wants_alerts: boolean
}

const columnsOf = ({ name, email, role, wants_alerts }: OperatorFields) => ({
  name,
  email,
  role,
  wants_alerts,
})

/** Without a token: people sign in. */
export const insertOperator = async (tx: Db, fields: OperatorFields, now: number): Promise<number> => {
  const { id } = await tx
    .insertInto('operators')
    .values({
      ...columnsOf(fields),
      token_prefix: null,
      token_hash: null,
      created_at: now,
      revoked_at: fields.is_active ? null : now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * One operator, locked, and how many other owners there are. These are locked too, all in one order: of two who leave at
 * once the second sees that the first has left.
 */
export const lockWithOwners = async (
  tx: Db,
  id: number,
): Promise<{ readonly operator: OperatorRow | undefined; readonly otherOwners: number }> => {
  const locked = await tx
    .selectFrom('operators')
    .select('id')
    .where((eb) =>
      eb.or([eb('id', '=', id), eb.and([eb('role', '=', 'owner'), eb('revoked_at', 'is', null)])]),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const operator = await readOperator(tx, id)
  return { operator, otherOwners: locked.filter((one) => one.id !== id).length }
}

export const updateOperator = async (
  tx: Db,
  id: number,
  fields: OperatorFields,
  now: number,
): Promise<void> => {
  await tx
    .updateTable('operators')
    .set((eb) => ({
      ...columnsOf(fields),
      revoked_at: fields.is_active ? null : eb.fn.coalesce('revoked_at', eb.val(now)),
    }))
    .where('id', '=', id)
    .execute()
}
