import { signInFailed } from '../../../core/accounts/sign-in.ts'

/** The account that a proof is to be attached to; undefined when somebody wants to sign in. */
export const linkTarget = ({
  body,
  userId,
}: {
  readonly body: { readonly link?: boolean }
  readonly userId: number | undefined
}): number | undefined => {
  if (!body.link) return undefined
  if (userId === undefined) throw signInFailed('link', 'needs a session; send its token along')
  return userId
}
