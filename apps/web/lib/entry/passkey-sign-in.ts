import { startAuthentication } from '@simplewebauthn/browser'
import { api } from '../api.ts'

/** Loaded where a browser has passkeys, and outside Telegram, whose windows have none. */

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON']

/** `isOffered`: the browser names it among what it fills in, and nothing is shown until somebody takes it. */
export const signInWithPasskey = async (isOffered: boolean) => {
  const optionsJSON = (await api.startPasskeySignIn()) as Options
  const body = await startAuthentication({ optionsJSON, useBrowserAutofill: isOffered })
  return api.verifyPasskeySignIn({ body: body as Parameters<typeof api.verifyPasskeySignIn>[0]['body'] })
}
