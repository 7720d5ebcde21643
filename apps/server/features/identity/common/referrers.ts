import { badRequest } from '@sallyport/contract/errors'
import { isReferralCode } from '../../../core/accounts/users.ts'
import type { Db } from '../../../db/client.ts'

/** Before anything is used up, and whatever the account: the answer says nothing about who has one. */
export const refuseUnknownReferrer = async (db: Db, code: string | undefined): Promise<void> => {
  if (code === undefined || (await isReferralCode(db, code))) return
  throw badRequest('referral_code', 'is not the code of any customer; correct it or leave it out')
}

/** For a code that was good when the sign-in began; if its customer has left since, it counts for nothing. */
export const stillReferrer = async (db: Db, code: string | null): Promise<string | undefined> =>
  code !== null && (await isReferralCode(db, code)) ? code : undefined
