import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { subscriptionKeyContext } from '../core/accounts/subscription-keys.ts'
import { insertSession } from '../core/accounts/users.ts'
import type { Services } from '../core/call.ts'
import { areDemoCredentials, findDemoUser, issueDemoCredentials } from './demo/demo.ts'
import { removeLeftovers, writeFileAtomically } from './files.ts'

export interface Credentials {
  readonly base_url: string
  readonly api_key: string
  readonly session_token: string
  readonly operator_token: string
  readonly user: { readonly id: number; readonly email: string; readonly subscription_key: string }
}

export const credentialsPath = (dataDir: string): string => join(dataDir, 'credentials.json')

const readKept = (path: string): Partial<Credentials> => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<Credentials>
  } catch {
    return {}
  }
}

/**
 * DATA_DIR/credentials.json for the demo: written on the first start, its short-lived parts refreshed on later
 * ones. When its keys are lost or of another database they are replaced, since only hashes are kept.
 */
export const writeCredentials = async (
  services: Services,
  dataDir: string,
  baseUrl: string,
): Promise<Credentials | undefined> => {
  const { db, vault, sessions, clock } = services
  const user = await findDemoUser(db)
  if (!user) return undefined
  const path = credentialsPath(dataDir)
  removeLeftovers(path)
  const { api_key: apiKey = '', operator_token: operatorToken = '' } = readKept(path)
  const kept = { apiKey, operatorToken }
  const keys = (await areDemoCredentials(db, kept, user.id))
    ? kept
    : await issueDemoCredentials(services, user.id, clock.now())
  const { token } = await sessions.issue(await insertSession(db, user.id, clock.now()), user.id)
  const credentials: Credentials = {
    base_url: baseUrl,
    api_key: keys.apiKey,
    session_token: token,
    operator_token: keys.operatorToken,
    user: {
      id: user.id,
      email: user.email as string,
      subscription_key: vault.open(user.key_sealed, subscriptionKeyContext),
    },
  }
  writeFileAtomically(path, `${JSON.stringify(credentials, null, 2)}\n`)
  return credentials
}
