import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

export const listIdentities = (db: Db, userId: number) =>
  db
    .selectFrom('identities')
    .select(['id', 'provider', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()

/** The provider; undefined when the account has no such identity. */
export const deleteIdentity = async (tx: Db, userId: number, id: number): Promise<string | undefined> => {
  const deleted = await tx
    .deleteFrom('identities')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('provider')
    .executeTakeFirst()
  return deleted?.provider
}

/** Unless the account has another one. */
export const disconnectMessenger = async (tx: Db, userId: number): Promise<void> => {
  await tx
    .updateTable('users')
    .set({ is_messenger_connected: false })
    .where('id', '=', userId)
    .where(({ selectFrom, exists, not }) => {
      const rest = selectFrom('identities').select('id').whereRef('user_id', '=', 'users.id')
      return not(exists(rest.where('provider', '=', 'telegram')))
    })
    .execute()
}

/** An address to mail codes to, a passkey, or an account at a provider that is asked. */
export const canSignIn = async (tx: Db, userId: number, providers: readonly string[]): Promise<boolean> => {
  const { ways } = await tx
    .selectFrom('users')
    .select(({ selectFrom, exists, or, eb }) =>
      or([
        eb('email', 'is not', null),
        exists(
          selectFrom('identities')
            .select('id')
            .whereRef('user_id', '=', 'users.id')
            .where('provider', '=', sql<string>`any(${providers}::text[])`),
        ),
        exists(selectFrom('passkeys').select('id').whereRef('user_id', '=', 'users.id')),
      ]).as('ways'),
    )
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return Boolean(ways)
}
