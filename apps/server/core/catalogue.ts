import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { badRequest, conflict } from '@sallyport/contract/errors'
import { type Db, inTransaction } from '../db/client.ts'
import { DatabaseError, isUniqueViolation } from '../db/driver.ts'
import type { Bus } from './bus.ts'
import type { VlessSettings } from './endpoints.ts'
import { touchNode } from './placements.ts'
import { randomBase62 } from './tokens.ts'
import { sha256, type Vault } from './vault.ts'

export const enrolmentTtlSeconds = 3600

export interface NewNode {
  readonly name: string
  readonly address: string
  readonly listenAddress: string
  readonly sellsWithoutEngine?: boolean
}

export const createNode = (
  db: Db,
  node: NewNode,
  now: number,
): Promise<{ id: number; enrolmentToken: string; expiresAt: number }> =>
  inTransaction(db, async (tx) => {
    const { id } = await tx
      .insertInto('nodes')
      .values({
        name: node.name,
        address: node.address,
        listen_address: node.listenAddress,
        sells_without_engine: node.sellsWithoutEngine ?? false,
        public_key: null,
        enrolment_token_hash: null,
        enrolment_expires_at: null,
        enrolment_spent_by: null,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        if (isUniqueViolation(error)) throw conflict('name', 'is the name of another node')
        throw error
      })
    await tx
      .insertInto('node_status')
      .values({ node_id: id, last_seen_at: null, apply_error: null, agent_version: null })
      .execute()
    return { id, ...(await issueEnrolmentToken(tx, id, now)) }
  })

/** A fresh one-time token for a node; the one before stops working. */
export const issueEnrolmentToken = async (db: Db, nodeId: number, now: number) => {
  const enrolmentToken = randomBase62(32)
  const expiresAt = now + enrolmentTtlSeconds
  await db
    .updateTable('nodes')
    .set({
      enrolment_token_hash: sha256(enrolmentToken),
      enrolment_expires_at: expiresAt,
      enrolment_spent_by: null,
    })
    .where('id', '=', nodeId)
    .execute()
  return { enrolmentToken, expiresAt }
}

export interface NewServer {
  readonly nodeId: number
  readonly locationId: number
  readonly capacity: number
  readonly vlessPort: number
  readonly realityTarget: string
  readonly realityServerName: string
}

export const inboundSecretContext = 'inbounds.secret'

const foreignKeyViolation = '23503'

const explain = (error: unknown): never => {
  if (isUniqueViolation(error, 'inbounds_node_id_port_key'))
    throw conflict('vless_port', 'is taken on this node')
  if (error instanceof DatabaseError && error.code === foreignKeyViolation) {
    const isNode = error.constraint?.includes('node')
    throw badRequest(isNode ? 'node_id' : 'location_id', 'does not exist')
  }
  throw error
}

/** A sellable server with fresh REALITY keys; its node learns of it at once. */
export const createServer = (
  at: { db: Db; vault: Vault; bus: Bus; now: number },
  server: NewServer,
): Promise<number> =>
  inTransaction(at.db, async (tx) => {
    const { id } = await tx
      .insertInto('servers')
      .values({
        node_id: server.nodeId,
        location_id: server.locationId,
        capacity: server.capacity,
        created_at: at.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
      .catch(explain)
    const key = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
    const settings: VlessSettings = {
      public_key: key.x as string,
      short_id: randomBytes(8).toString('hex'),
      server_name: server.realityServerName,
      target: server.realityTarget,
    }
    await tx
      .insertInto('inbounds')
      .values({
        server_id: id,
        protocol: 'vless',
        node_id: server.nodeId,
        engine: 'xray',
        port: server.vlessPort,
        settings: JSON.stringify(settings),
        secret_sealed: at.vault.seal(key.d as string, inboundSecretContext),
      })
      .execute()
      .catch(explain)
    await touchNode(tx, at.bus, server.nodeId)
    return id
  })
