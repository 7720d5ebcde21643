import { type Operation, type Role, roles, rolesOf } from '@sallyport/contract/operation'
import { allOperations, operationsOf, tablesFor } from '@sallyport/contract/tables'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enrolNode, signNodeToken } from '../../../test/support/node.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import { createOperator } from '../core/operators/operators.ts'

/** Every operation of operators with every role, and with what others come with. */

const rows = [...operationsOf(tablesFor('operator'))]
  .filter(({ row }) => row.auth === 'operator')
  .map(({ name, base, row }): [string, string, Operation] => [name, base + row.path, row])

let service: TestService
const tokens = new Map<Role, string>()
const strangers: [string, string | undefined][] = []

beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  for (const role of roles) {
    tokens.set(role, await createOperator(service.db, { name: role, role, now: service.clock.now() }))
  }
  const customer = await service.createUser()
  const node = await enrolNode(service, 1)
  strangers.push(
    ['nobody', undefined],
    ['a customer’s key', customer.api_key],
    ['a customer’s session', customer.session_token],
    ['a node', await signNodeToken(node.nodeId, node.privateKey)],
  )
})
afterAll(() => service.stop())

/** About nothing that there is, and with what no operation takes: whoever may call it changes nothing. */
const send = (path: string, { method }: Operation, token: string | undefined) =>
  service.call(method, `${path.replaceAll(/:\w+/g, '999999999')}?no_such_name=1`, {
    ...(token && { token }),
    ...(method !== 'GET' && { body: { no_such_field: 1 } }),
  })

describe.each(rows)('check 1: %s (%s)', (_name, path, row) => {
  test.each(roles)('%s', async (role) => {
    const { status, body } = await send(path, row, tokens.get(role))
    if (rolesOf(row).includes(role)) expect([400, 404]).toContain(status)
    else {
      expect([status, body.errorCode]).toEqual([403, 4])
      expect(body.details[0].problem).toBe(`needs the role ${rolesOf(row).join(' or ')}`)
    }
  })

  test('nobody else', async () => {
    for (const [who, token] of strangers) {
      const { status, body } = await send(path, row, token)
      expect([who, status, body.errorCode]).toEqual([who, 401, 2])
    }
  })
})

/** Operations of customers and agents, and what each of the other kinds is told. */
const ofOthers = [...allOperations()]
  .filter(({ row }) => ['customer', 'session', 'agent'].includes(row.auth))
  .map(({ name, base, row }): [string, string, Operation] => [name, base + row.path, row])

test.each(ofOthers)('check 1: %s (%s) is for nobody of another kind', async (_name, path, row) => {
  const operators = [...tokens].map(([role, token]): [string, string] => [role, token])
  const isAgents = row.auth === 'agent'
  const others = strangers.filter(([who]) =>
    isAgents ? who !== 'a node' : who === 'a node' || who === 'nobody',
  )
  for (const [who, token] of [...operators, ...others]) {
    const { status, body } = await send(path, row, token)
    expect([who, status, body.errorCode]).toEqual([who, 401, 2])
  }
})

/** All that a technician may, by hand: neither a sum nor a customer's page is among it. */
const forTechnicians = [
  'listAllLocations',
  'listNodes',
  'showNode',
  'createNode',
  'changeNode',
  'createEnrolment',
  'deleteNode',
  'showNodeLoad',
  'listServers',
  'showServer',
  'createServer',
  'changeServer',
  'deleteServer',
  'startDrain',
  'showDrain',
  'stopDrain',
  'listAgentUpgrades',
  'createAgentUpgrade',
  'showAgentUpgrade',
  'stopAgentUpgrade',
  'continueAgentUpgrade',
  'takeAgentUpgradeBack',
  'listMachines',
  'setMachineAddress',
  'retryMachine',
  'listAlerts',
  'takeAlert',
  'listSavedViews',
  'createSavedView',
  'changeSavedView',
  'deleteSavedView',
  'resolveAlert',
  'showMe',
  'showFleetFigures',
  'showTrafficFigures',
]

test('technicians look after machines, and after nothing else', () => {
  const may = rows.filter(([, , row]) => rolesOf(row).includes('technician')).map(([name]) => name)
  expect(may.toSorted()).toEqual(forTechnicians.toSorted())
})
