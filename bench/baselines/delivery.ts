import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import pg from 'pg'
import { sha256 } from '../../apps/server/core/kernel/vault.ts'
import { openDatabase } from '../../apps/server/db/client.ts'
import type { BareAnswer } from '../delivery/bare.ts'

/**
 * One prepared read by the hash of the key, and bytes that were made before: no device, no limits, no choice of a format, nobody
 * who could be blocked. Through a pool of the product's size, or over the connections that the product's own reads share.
 */

const text = 'select id, revision from subscriptions where key_hash = $1'

const { ANSWERS: file = '', DATABASE_URL: databaseUrl, READER: reader, PORT: port } = process.env

const pooled = () => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  return (keyHash: Buffer) => pool.query({ name: 'owner', text, values: [keyHash] })
}

const shared = async () => {
  const { engine } = await openDatabase({ databaseUrl, dataDir: '.' })
  return (keyHash: Buffer) => engine.read(text, [keyHash])
}

const told = JSON.parse(readFileSync(file, 'utf8')) as BareAnswer[]
const answers = new Map(
  told.map(({ name, headers, body }) => [name, { headers, body: Buffer.from(body, 'base64') }]),
)
const read = reader === 'pool' ? pooled() : await shared()

const app = Fastify()
app.get<{ Params: { key: string }; Querystring: { format: string } }>('/sub/:key', async (request, reply) => {
  const { rows } = await read(sha256(request.params.key))
  const answer = answers.get(request.query.format)
  if (rows.length === 0 || !answer) return reply.code(404).send()
  reply.headers(answer.headers)
  const { etag } = answer.headers
  if (etag !== undefined && request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.send(answer.body)
})
await app.listen({ host: '127.0.0.1', port: Number(port) })
process.once('SIGTERM', () => process.exit())
