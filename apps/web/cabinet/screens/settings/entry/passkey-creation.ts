import { startRegistration } from '@simplewebauthn/browser'
import { api } from '../../../../lib/api.ts'

/** Loaded where somebody adds a passkey. */

type Options = Parameters<typeof startRegistration>[0]['optionsJSON']
type Body = Parameters<typeof api.verifyPasskey>[0]['body']

export const createPasskey = async (title: string | undefined) => {
  const optionsJSON = (await api.startPasskey()) as Options
  const made = (await startRegistration({ optionsJSON })) as unknown as Body
  return api.verifyPasskey({ body: { ...made, ...(title !== undefined && { title }) } })
}
