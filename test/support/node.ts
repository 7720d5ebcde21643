import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { DesiredState } from '@sallyport/contract/agent/agent'
import type { Report } from '@sallyport/contract/agent/report'
import { SignJWT } from 'jose'
import type { TestService } from './service.ts'

/** A node as the service sees it: enrolled, polling and reporting when the test says so. */

export const signNodeToken = (nodeId: number, key: KeyObject, claims: Record<string, unknown> = {}) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA', kid: String(nodeId), typ: 'agent+jwt' })
    .setIssuer('sallyport-agent')
    .setAudience('sallyport')
    .setIssuedAt()
    .setExpirationTime('2m')
    .sign(key)

export const emptyReport: Report = {
  agent_version: '0.1.0',
  applied_revision: 0,
  applied_hash: '',
  apply_error: null,
  refused: [],
  engines: [{ name: 'xray', state: 'running', version: '26.3.27', detail: null }],
  host: {
    cpu_percent: 10,
    ram_percent: 20,
    up_mbps: 1,
    down_mbps: 2,
    uptime_seconds: 5,
    cpu_model: 'Test CPU',
  },
  traffic: [],
}

let nextNode = 1

/** A node with one server and an enrolled agent, in a location of the test's choosing. */
export const enrolNode = async (service: TestService, locationId: number, server: object = {}) => {
  const created = await service.operator('POST', '/nodes', {
    name: `node-${nextNode++}`,
    address: '203.0.113.5',
  })
  const { id: nodeId, enrolment_token: token } = created.body.data
  const made = await service.operator('POST', '/servers', {
    node_id: nodeId,
    location_id: locationId,
    capacity: 50,
    protocols: ['vless'],
    reality_target: 'www.example.com:443',
    reality_server_name: 'www.example.com',
    ...server,
  })
  const { privateKey } = generateKeyPairSync('ed25519')
  const { x } = privateKey.export({ format: 'jwk' })
  await service.call('POST', '/agent/v1/enrol', { body: { token, public_key: x } })
  const bearer = await signNodeToken(nodeId, privateKey)
  const poll = async (since: number, waitSeconds = 0): Promise<DesiredState> => {
    const path = `/agent/v1/state?since=${since}&wait_seconds=${waitSeconds}`
    const { status, body } = await service.call('GET', path, { token: bearer })
    if (status !== 200) throw new Error(`The poll was answered with ${status} ${JSON.stringify(body)}`)
    return body.data
  }
  const report = (change: Partial<Report> = {}) =>
    service.call('POST', '/agent/v1/report', { token: bearer, body: { ...emptyReport, ...change } })
  const answerTrial = (id: number, body: object) =>
    service.call('POST', `/agent/v1/trials/${id}`, { token: bearer, body })
  const serverId = made.body.data.id as number
  return { nodeId, serverId, token, publicKey: x, privateKey, poll, report, answerTrial }
}

export type EnrolledNode = Awaited<ReturnType<typeof enrolNode>>

let nextLocation = 500

/** A location that only the nodes of one test are in. */
export const addLocation = async ({ db }: TestService): Promise<number> => {
  const id = nextLocation++
  const like = await db.selectFrom('locations').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
  const own = { id, code: 'NL', home_domains: [], home_networks: [] }
  await db
    .insertInto('locations')
    .values({ ...like, ...own })
    .execute()
  return id
}

/** Enrolled there, and heard of. */
export const nodesIn = async (
  service: TestService,
  locationId: number,
  count: number,
  server: object = {},
): Promise<EnrolledNode[]> => {
  const nodes: EnrolledNode[] = []
  for (let at = 0; at < count; at++) nodes.push(await enrolNode(service, locationId, server))
  for (const node of nodes) await node.report()
  return nodes
}
