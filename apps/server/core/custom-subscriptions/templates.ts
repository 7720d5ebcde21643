import { ApiError } from '@sallyport/contract/errors'
import { type Db, inTransaction } from '../../db/client.ts'
import { type CustomRef, isSubscription, lockSubscription } from '../accounts/subscription-keys.ts'

/** The Xray template of a custom subscription. */

export interface StoredTemplate {
  readonly is_enabled: boolean
  /** Null while the customer has given none. */
  readonly template: string | null
}

const nothing: StoredTemplate = { is_enabled: false, template: null }

export const showTemplate = async (db: Db, ref: CustomRef): Promise<StoredTemplate> => {
  const row = await db
    .selectFrom('subscriptions as s')
    .leftJoin('subscription_templates as p', 'p.subscription_id', 's.id')
    .select(['p.is_enabled', 'p.template'])
    .where(isSubscription(ref))
    .executeTakeFirst()
  if (!row) throw new ApiError('NOT_FOUND')
  return row.is_enabled === null ? nothing : { is_enabled: row.is_enabled, template: row.template }
}

/** What apps get instead of the usual one; undefined while the customer's is off, or there is none. */
export const findEnabledTemplate = async (db: Db, subscriptionId: number): Promise<string | undefined> => {
  const row = await db
    .selectFrom('subscription_templates')
    .select('template')
    .where('subscription_id', '=', subscriptionId)
    .where('is_enabled', '=', true)
    .executeTakeFirst()
  return row?.template ?? undefined
}

/** Only what is given, so that two changes at once both stay. */
export const storeTemplate = (db: Db, ref: CustomRef, given: Partial<StoredTemplate>): Promise<void> =>
  inTransaction(db, async (tx) => {
    const locked = await lockSubscription(tx, ref)
    if (!locked) throw new ApiError('NOT_FOUND')
    await tx
      .insertInto('subscription_templates')
      .values({ subscription_id: locked.id, ...given })
      .onConflict((conflict) => conflict.column('subscription_id').doUpdateSet(given))
      .execute()
  })
