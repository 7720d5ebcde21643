import { ApiError, conflict } from '@sallyport/contract/errors'
import type { userPageRows } from '@sallyport/contract/operator/people/user-page'
import { readEmail } from '@sallyport/domain/identity/email-address'
import { emailChangedLetter } from '@sallyport/domain/identity/letters'
import { recordAndTell } from '../../../core/accounts/account-events.ts'
import type { Call } from '../../../core/call.ts'
import { type Audited, audited, unchanged } from '../../../core/kernel/audit.ts'
import { postToJob } from '../../../core/kernel/mail.ts'
import type { Db } from '../../../db/client.ts'
import { isUniqueViolation } from '../../../db/driver.ts'
import { requireVersion } from '../common/versions.ts'
import { lockForChange, storeUser } from './user-queries.ts'

type ChangeCall = Call<typeof userPageRows.changeUser>

const letterKeepSeconds = 86_400

/** Those that operators may set, as they see them. */
export const flagsShown = (flags: readonly string[]) => ({
  noChangeCountry: flags.includes('noChangeCountry'),
})

const flagsAfter = (flags: readonly string[], body: ChangeCall['body']): string[] => {
  const wanted = Object.entries(body.flags ?? {})
  const kept = flags.filter((flag) => !wanted.some(([name]) => name === flag))
  return [...kept, ...wanted.filter(([, isSet]) => isSet).map(([name]) => name)].sort()
}

/** Which language the reader of the old mailbox has is not known. */
const letterOf = () => {
  const [ru, en] = [emailChangedLetter('ru'), emailChangedLetter('en')]
  return { subject: `${ru.subject} / ${en.subject}`, text: `${ru.text}\n${en.text}` }
}

/** The customer is told in the account, and at the address that opens it no more. */
const tellOfEmail = async (tx: Db, call: ChangeCall, old: string | null): Promise<void> => {
  const { params, now } = call
  await recordAndTell(
    tx,
    { userId: params.id, kind: 'email_changed', details: { by: 'operator' }, now },
    {
      ru: 'Поддержка указала для вашего аккаунта новый адрес почты. Если вы об этом не просили, напишите в поддержку.',
      en: 'Support gave your account a new e-mail address. If you did not ask for it, write to support.',
    },
  )
  if (old === null) return
  const letter = { to: old, ...letterOf() }
  await postToJob(tx, call, { letter, now, expiresAt: now + letterKeepSeconds })
}

const refuseTaken = (error: unknown): never => {
  if (isUniqueViolation(error, 'users_email')) throw conflict('email', 'belongs to another customer')
  throw error
}

/** `show` gives the page as it is in the transaction. */
export const changeUser = async <Page extends { readonly version: number }>(
  tx: Db,
  call: ChangeCall,
  show: () => Promise<Page>,
): Promise<Audited<Page>> => {
  const { params, body } = call
  const before = await lockForChange(tx, params.id)
  if (!before) throw new ApiError('NOT_FOUND')
  if (body.version !== undefined) requireVersion(body.version, await show())
  const after = {
    email: body.email === undefined ? before.email : readEmail(body.email),
    note: body.note === undefined ? before.note : body.note,
    is_note_internal: body.is_note_internal ?? before.is_note_internal,
    flags: flagsAfter(before.flags, body),
  }
  if (JSON.stringify(after) === JSON.stringify({ ...before, flags: before.flags.toSorted() })) {
    return unchanged(await show())
  }
  await storeUser(tx, params.id, after).catch(refuseTaken)
  if (after.email !== before.email) await tellOfEmail(tx, call, before.email)
  return audited(await show(), {
    before: { ...before, flags: flagsShown(before.flags) },
    after: { ...after, flags: flagsShown(after.flags) },
  })
}
