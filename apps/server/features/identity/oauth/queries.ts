import type { Db } from '../../../db/client.ts'
import type { IdentityTables } from '../../../db/tables/identity-types.ts'

export const insertOauthState = async (db: Db, state: IdentityTables['oauth_states']): Promise<void> => {
  await db.insertInto('oauth_states').values(state).execute()
}

interface StateKey {
  readonly stateHash: Buffer
  readonly provider: string
}

/** A state is good once, and only for the browser that began; another one leaves it as it is. */
export const takeOauthState = (db: Db, at: StateKey & { browserHash: Buffer; now: number }) =>
  db
    .deleteFrom('oauth_states')
    .where('state_hash', '=', at.stateHash)
    .where('provider', '=', at.provider)
    .where('browser_hash', '=', at.browserHash)
    .where('expires_at', '>', at.now)
    .returning(['checks_sealed', 'return_to', 'referral_code', 'link_user_id'])
    .executeTakeFirst()

/** For telling a person why it could not be taken. */
export const findOauthState = (db: Db, { stateHash, provider }: StateKey) =>
  db
    .selectFrom('oauth_states')
    .select(['return_to', 'expires_at'])
    .where('state_hash', '=', stateHash)
    .where('provider', '=', provider)
    .executeTakeFirst()
