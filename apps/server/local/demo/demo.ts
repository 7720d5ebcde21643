import { setTimeout } from 'node:timers/promises'
import { findApiKey, findOperatorToken } from '../../core/accounts/credentials.ts'
import { createUser, grantByOperator, insertApiKey } from '../../core/accounts/users.ts'
import { issueEnrolmentToken, sellWithoutEngines } from '../../core/fleet/nodes.ts'
import { onlineWithinSeconds } from '../../core/fleet/servers.ts'
import type { Bus } from '../../core/kernel/bus.ts'
import { parseToken } from '../../core/kernel/tokens.ts'
import { sameBytes, sha256, type Vault } from '../../core/kernel/vault.ts'
import { makeSignInLink } from '../../core/operators/links.ts'
import { createOperator, insertOperatorToken } from '../../core/operators/operators.ts'
import type { Db } from '../../db/client.ts'
import { inTransaction } from '../../db/client.ts'
import type { OperateWithin } from '../../operations/operate.ts'
import type { Clock } from '../../ports/clock.ts'
import { demoNodeName, layCatalogue } from './demo-catalogue.ts'

/** The catalogue and people of the embedded default, so that a newcomer can buy within a minute. */

const demoEmail = 'demo@sallyport.example'
const demoName = 'demo'
const demoBalanceRub = 10_000

export const findDemoUser = (db: Db) =>
  db
    .selectFrom('users as u')
    .innerJoin('subscriptions as s', 's.user_id', 'u.id')
    .select(['u.id', 'u.email', 's.key_sealed'])
    .where('u.email', '=', demoEmail)
    .where('s.kind', '=', 'account')
    .executeTakeFirst()

const createDemoUser = async (tx: Db, vault: Vault, now: number): Promise<void> => {
  const user = await createUser(tx, vault, now, {
    email: demoEmail,
    signInMethod: 'authCode',
    referralCode: undefined,
  })
  const cause = `user:${user.id}:opening-wallet`
  await grantByOperator(tx, { userId: user.id, kind: 'wallet', amount: demoBalanceRub, cause, now })
}

const findDemoOperator = (tx: Db) =>
  tx
    .selectFrom('operators')
    .select('id')
    .where('name', '=', demoName)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .executeTakeFirst()

/** The way into the console for whoever tries the demo out: works once, within an hour. */
export const demoSignInLink = async (db: Db, publicUrl: string, now: number): Promise<string | undefined> => {
  const operator = await findDemoOperator(db)
  return operator && (await makeSignInLink(db, { operatorId: operator.id, publicUrl, now })).link
}

/** Whose work the demo is. */
const createDemoOperator = async (tx: Db, now: number): Promise<number> => {
  await createOperator(tx, { name: demoName, role: 'owner', now })
  return ((await findDemoOperator(tx)) as { id: number }).id
}

export interface DemoPlace {
  readonly db: Db
  readonly vault: Vault
  readonly now: number
  readonly operateWithin: OperateWithin
  /** Where client apps reach the demo servers, and where these listen. */
  readonly address: string
  readonly listenAddress: string
}

/** Loads the demo into an empty database; all or nothing, so that a killed first start leaves no half of it. */
export const loadDemo = (at: DemoPlace): Promise<void> =>
  inTransaction(at.db, async (tx) => {
    const { vault, now } = at
    if (await tx.selectFrom('users').select('id').limit(1).executeTakeFirst()) {
      // Whoever tries out how an account is deleted begins with this one.
      if (!(await findDemoUser(tx))) await createDemoUser(tx, vault, now)
      return
    }
    const operatorId = await createDemoOperator(tx, now)
    const nodeId = await layCatalogue(at.operateWithin(tx, operatorId), at)
    await sellWithoutEngines(tx, nodeId)
    await createDemoUser(tx, vault, now)
  })

export interface DemoCredentials {
  readonly apiKey: string
  readonly operatorToken: string
}

/** Whether these still open this database: the file may have outlived it. */
export const areDemoCredentials = async (db: Db, kept: DemoCredentials, userId: number): Promise<boolean> => {
  const [key, operator] = [parseToken(kept.apiKey), parseToken(kept.operatorToken)]
  if (!key || !operator) return false
  const [foundKey, foundOperator] = [
    await findApiKey(db, key.prefix),
    await findOperatorToken(db, operator.prefix),
  ]
  return (
    foundKey?.user_id === userId &&
    sameBytes(foundKey.secret_hash, sha256(key.secret)) &&
    foundOperator !== undefined &&
    sameBytes(foundOperator.secret_hash, sha256(operator.secret))
  )
}

/** Fresh credentials in place of the ones before, which are kept only as hashes and may have been lost. */
export const issueDemoCredentials = (
  { db, bus, vault }: { readonly db: Db; readonly bus: Bus; readonly vault: Vault },
  userId: number,
  now: number,
): Promise<DemoCredentials> =>
  inTransaction(db, async (tx) => {
    const old = await tx
      .deleteFrom('api_keys')
      .where('user_id', '=', userId)
      .where('title', '=', demoName)
      .returning('prefix')
      .execute()
    for (const { prefix } of old) await bus.publish(tx, `auth:k:${prefix}`)
    const { apiKey } = await insertApiKey(tx, vault, { userId, title: demoName, now })
    return { apiKey, operatorToken: await issueOperatorToken(tx, now) }
  })

const issueOperatorToken = async (tx: Db, now: number): Promise<string> => {
  const operator = await findDemoOperator(tx)
  if (!operator) return createOperator(tx, { name: demoName, role: 'owner', now })
  await tx
    .updateTable('operator_tokens')
    .set({ revoked_at: now })
    .where('operator_id', '=', operator.id)
    .where('revoked_at', 'is', null)
    .execute()
  const made = { operatorId: operator.id, title: demoName, operations: null, expiresAt: null, now }
  return (await insertOperatorToken(tx, made)).token
}

/** The node of this machine, with a one-time token for an agent that has no identity yet. */
export const demoNode = async (db: Db, now: number) => {
  const node = await db
    .selectFrom('nodes')
    .select(['id', 'public_key'])
    .where('name', '=', demoNodeName)
    .executeTakeFirst()
  if (!node) return undefined
  const { enrolmentToken } = await issueEnrolmentToken(db, node.id, now)
  return { id: node.id, isEnrolled: node.public_key !== null, enrolmentToken }
}

const askEveryMs = 50

/** Waits until the node's last heartbeat is recent; false when none came in time. */
export const isNodeOnline = async (
  db: Db,
  nodeId: number,
  clock: Clock,
  patienceMs: number,
): Promise<boolean> => {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += askEveryMs) {
    const status = await db
      .selectFrom('node_status')
      .select('last_seen_at')
      .where('node_id', '=', nodeId)
      .executeTakeFirst()
    if ((status?.last_seen_at ?? 0) >= clock.now() - onlineWithinSeconds) return true
    await setTimeout(askEveryMs)
  }
  return false
}
