import type { Report } from '@sallyport/contract/agent/report'
import { sql } from 'kysely'
import { brokenRules } from './databases/invariants.ts'
import { addLocation, type EnrolledNode, emptyReport, nodesIn } from './node.ts'
import type { TestService, TestUser } from './service.ts'

/** Servers that are emptied, with nodes whose polls and reports are the test's. */

const engines: Report['engines'] = (['xray', 'amneziawg', 'mtg'] as const).map((name) => ({
  name,
  state: 'running',
  version: '1',
  detail: null,
}))

export const week = 7 * 86_400

export const drainingOf = (service: TestService) => {
  const alive = async (...nodes: readonly EnrolledNode[]): Promise<void> => {
    for (const node of nodes) await node.report({ ...emptyReport, engines })
  }
  const round = () => service.running.runJobs()
  const drain = (serverId: number, body: object = {}) =>
    service.operator('POST', `/servers/${serverId}/drain`, body)
  const shown = async (serverId: number) =>
    (await service.operator('GET', `/servers/${serverId}/drain`)).body.data
  const stateOf = async (serverId: number) =>
    (await service.operator('GET', `/servers/${serverId}`)).body.data.state
  const fetched = (user: TestUser, headers: Record<string, string> = {}, query = '') =>
    service.call('GET', `/sub/${user.subscription_key}${query}`, {
      headers: { 'user-agent': 'Happ/3.7.0', ...headers },
    })
  /** What a node carries, by name, without when it was told of it. */
  const carried = async (node: EnrolledNode) =>
    new Map((await node.poll(0)).accesses.map(({ id, revision: _, ...access }) => [id, access] as const))
  const copiesOn = async (node: EnrolledNode) =>
    [...(await carried(node)).keys()].filter((id) => id.startsWith('a-'))
  const configOf = async (user: TestUser, id: number) => {
    const { body } = await service.call('GET', '/v1/configs', { token: user.api_key })
    return body.data.find((one: { id: number }) => one.id === id)
  }
  const told = async (user: TestUser): Promise<string[]> => {
    const { body } = await service.customer(user, 'GET', '/profile/notifications')
    return body.data.map((one: { content: string }) => one.content)
  }
  const query = async (text: string) =>
    (await sql.raw<Record<string, unknown>>(text).execute(service.db)).rows
  const broken = () => brokenRules(query, { isAtRest: false })
  /** Nodes in a location of their own, all of which offer and carry everything that is asked for. */
  const setUp = async (count: number, server: object = {}) => {
    const locationId = await addLocation(service)
    const nodes = await nodesIn(service, locationId, count, server)
    await alive(...nodes)
    const user = await service.createUser({ balance: 1_000_000 })
    const [first, second] = nodes as [EnrolledNode, EnrolledNode]
    const buy = (order: object = {}, whose = user) =>
      service.buy(whose, { location_id: locationId, server_id: first.serverId, ...order })
    return { locationId, nodes, first, second, user, buy }
  }
  return { alive, round, drain, shown, stateOf, fetched, carried, copiesOn, configOf, told, broken, setUp }
}
