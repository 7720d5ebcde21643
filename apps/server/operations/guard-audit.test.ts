import { ApiError } from '@sallyport/contract/errors'
import { type ContractOperation, operationsOf, type TableName, tablesFor } from '@sallyport/contract/tables'
import { defaultTemplateText } from '@sallyport/domain/delivery/templates/template'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enrolNode } from '../../../test/support/node.ts'
import { owners } from '../../../test/support/one-of-everything.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import { storeDrain } from '../core/draining/drains.ts'
import { bodyExample } from '../http/docs/examples.ts'
import type { Actor } from './actor.ts'
import { type Answer, dataOf } from './answer.ts'

/** Walks every operation by which operators change something: whatever succeeds is in the audit log, once. */

let service: TestService
let actor: Actor
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  const { id } = await service.db
    .selectFrom('operators')
    .select('id')
    .where('name', '=', 'test')
    .executeTakeFirstOrThrow()
  actor = { kind: 'operator', id, role: 'owner', operations: null }
})
afterAll(() => service.stop())

/** Only of use where nothing is yet: its own test looks at the log. */
const onEmpty = 'setUp'

const writes = [...operationsOf(tablesFor('operator'))]
  .filter(({ name, row }) => row.auth === 'operator' && row.method !== 'GET' && name !== onEmpty)
  .map((operation): [string, ContractOperation] => [operation.name, operation])

type Named = Readonly<Record<string, unknown>>

/** Things that everybody knows by their names. */
const names: Named = { currency: 'USD', kind: 'mihomo' }

const paramsOf = async ({ row, table }: ContractOperation): Promise<Named> => {
  const ids = (await owners[table.name as TableName]?.(service))?.ids ?? {}
  const places = [...row.path.matchAll(/(?<=([^/]+)\/):(\w+)/g)]
  return Object.fromEntries(
    places.map(([, before, name = '']) => [name, ids[`${before}/:${name}`] ?? ids[name] ?? names[name]]),
  )
}

const template = defaultTemplateText('mihomo')

/** Where the example of the reference is not one that this service can follow. */
const bodies: Readonly<Record<string, object>> = {
  refundPayment: { to: 'balance', reason: 'did not connect' },
  changePaymentMethod: { provider: undefined },
  createOption: { key: 'of_the_guard' },
  createCloudConfiguration: { offers: [] },
  changeDeliveryTemplate: { template },
}

const bodyOf = (operation: ContractOperation): unknown => {
  const example = bodyExample(operation, 'en') as object | undefined
  return bodies[operation.name] ? { ...example, ...bodies[operation.name] } : example
}

/** What has to be so before the operation has something to do. */
const preparations: Readonly<Record<string, (params: Named) => Promise<unknown>>> = {
  creditReceipt: ({ id }) =>
    service.db
      .updateTable('receipts')
      .set({ verdict: 'suspense' })
      .where('id', '=', id as number)
      .execute(),
  // No round is kicked, which would find nobody there and be done.
  stopDrain: ({ id }) =>
    storeDrain(service.db, { serverId: id as number, toServerIds: [], now: service.clock.now() }),
  createAgentUpgrade: async () => {
    await enrolNode(service, 1)
    await service.db.updateTable('agent_upgrades').set({ state: 'done' }).execute()
  },
  continueAgentUpgrade: ({ id }) =>
    service.db
      .updateTable('agent_upgrades')
      .set({ state: 'stopped' })
      .where('id', '=', id as number)
      .execute(),
  takeAgentUpgradeBack: ({ id }) =>
    service.db
      .updateTable('agent_upgrade_nodes')
      .set({ told_at: 1, release_before: 'aaaaaaaaaaaaaaaa' })
      .where('upgrade_id', '=', id as number)
      .execute(),
  deleteCloud: ({ id }) =>
    service.db
      .deleteFrom('cloud_offers')
      .where('cloud_id', '=', id as number)
      .execute(),
  // A round has to choose the manual offer first.
  setMachineAddress: () => service.running.runJobs(),
  removeCabinetLogo: () =>
    service.operator('PUT', '/cabinet/logo', {
      type: 'image/svg+xml',
      image: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64'),
    }),
  resetDeliveryTemplate: ({ kind }) => service.operator('PUT', `/delivery/templates/${kind}`, { template }),
}

const entries = () => service.db.selectFrom('audit_log').selectAll().orderBy('id').execute()

const call = (operation: ContractOperation, params: Named, body: unknown): Promise<Answer> =>
  service.running.operations[operation.name].run(actor, { params, body, language: 'en', ip: '192.0.2.1' })

const told = (error: ApiError): never => {
  throw new Error(`${error.code}: ${JSON.stringify(error.details)}`)
}

/** What the path names; else what was made; else there is only one. */
const idOf = (params: Named, answer: Answer): unknown => {
  const made = dataOf(answer) as { id?: number }
  return Object.values(params)[0] ?? made.id
}

interface Details {
  readonly before?: object | null
  readonly after?: object | null
}

/** Changes that leave nothing to compare: what they are about is in the subject. */
const withoutDifference = new Set(['revealWithdrawalAccount'])

/** What was, where something changed or is gone; what is, where something is there. */
const expectDifference = ({ name, row }: ContractOperation, { before, after }: Details): void => {
  if (withoutDifference.has(name)) return
  const isChange = row.method === 'PATCH' || row.method === 'PUT'
  if (isChange || row.method === 'DELETE') expect(before, `${name} says what was before`).toBeTypeOf('object')
  if (isChange || row.method === 'POST') expect(after, `${name} says what is after`).toBeTypeOf('object')
}

/** Whoever has seen another version than there is changes nothing, and is shown what there is. */
const expectVersionHeld = async (operation: ContractOperation, params: Named): Promise<void> => {
  const { name, row } = operation
  if (row.method !== 'PATCH' && row.method !== 'PUT') return
  const late = { ...(bodyOf(operation) as object), version: 1_000_000 }
  const refused = await call(operation, params, late).catch((error: unknown) => error)
  expect(refused, name).toMatchObject({ code: 'CONFLICT', details: [{ path: 'version' }] })
  expect((refused as ApiError).data, name).toBeTypeOf('object')
}

/** Writes that do something each time, however often they come. */
const neverIdle = new Set(['changeUserOption'])

/** Whoever wants what is so already has written as well: it is noted, and there is nothing to compare. */
const expectSameAgain = async (operation: ContractOperation, params: Named): Promise<void> => {
  const { name, row } = operation
  const before = await entries()
  const again = await call(operation, params, bodyOf(operation)).catch((error: unknown) => error)
  const added = (await entries()).slice(before.length)
  if (again instanceof ApiError) {
    expect(added).toEqual([])
    const isGone = row.method === 'DELETE' && again.code === 'NOT_FOUND'
    expect(isGone || row.method === 'POST', `${name} again: ${again.code}`).toBe(true)
    return
  }
  expect(added.map(({ action }) => action)).toEqual([name])
  const isSet = row.method !== 'POST' && !neverIdle.has(name)
  if (isSet) expect(added[0]?.details).toMatchObject({ before: {}, after: {} })
  if (isSet) expect(Object.keys({ ...(added[0]?.details as Details).before })).toEqual([])
}

test('operators change things', () => {
  expect(writes.length).toBeGreaterThan(35)
})

test.each(writes)('%s', async (name, operation) => {
  const { audit } = operation.row
  if (!audit) throw new Error(`${name} changes something and declares no audit`)
  const params = await paramsOf(operation)
  await preparations[name]?.(params)

  const before = await entries()
  const refused = await call(operation, params, { no_such_field: 1 }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ApiError)
  await expectVersionHeld(operation, params)
  expect(await entries()).toHaveLength(before.length)

  const answer = await call(operation, params, bodyOf(operation)).catch(told)
  const [entry, ...others] = (await entries()).slice(before.length)
  const id = idOf(params, answer)
  expect(others).toEqual([])
  expect(entry).toMatchObject({
    operator_id: actor.id,
    action: name,
    subject: id === undefined ? audit.subject : `${audit.subject}:${id}`,
    created_at: service.clock.now(),
  })
  expectDifference(operation, entry?.details as Details)
  await expectSameAgain(operation, params)
})
