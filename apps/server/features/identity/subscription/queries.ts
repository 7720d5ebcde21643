import { prepared } from '../../../db/client.ts'

/** What else than a letter opens the account: providers may be ones that are not configured any more. */
const waysIn = prepared<
  [userId: number],
  { readonly has_passkey: boolean; readonly providers: readonly string[] }
>(
  `select exists (select from passkeys p where p.user_id = $1) as has_passkey,
     array(select distinct i.provider from identities i where i.user_id = $1 order by 1) as providers`,
)

export const findWaysIn = async (...at: Parameters<typeof waysIn>) => (await waysIn(...at))[0]
