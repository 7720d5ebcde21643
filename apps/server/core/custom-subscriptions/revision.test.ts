import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CustomTests, configItem, optionItem } from '../../../../test/support/custom-subscriptions.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

/** A rendered answer may be kept by the subscription's revision: whatever changes the answer raises it. */

let service: TestService
let custom: CustomTests
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  custom = new CustomTests(service)
})
afterAll(() => service.stop())

interface Made {
  readonly user: TestUser
  readonly id: number
  readonly configs: readonly [number, number]
}

const call = (at: Made, method: string, path: string, body?: object) =>
  custom.call(at.user, method, `/${at.id}${path}`, body)

const revisions = async ({ user }: Made) => {
  const rows = await service.db
    .selectFrom('subscriptions')
    .select(['id', 'revision'])
    .where('user_id', '=', user.id)
    .execute()
  return new Map(rows.map((row) => [row.id, row.revision]))
}

const start = async (): Promise<Made & { readonly otherId: number }> => {
  const user = await custom.customer()
  const configs = [(await service.buy(user)).id, (await service.buy(user)).id] as const
  await custom.option(user)
  const [one, other] = [
    await custom.made(user, configItem(configs[0])),
    await custom.made(user, optionItem()),
  ]
  return { user, id: one.id, otherId: other.id, configs }
}

const template = '{"outbounds":[{"tag":"proxy"}]}'

type Step = (at: Made) => Promise<unknown>

const bothItems = (at: Made, isTurned: boolean) => {
  const items = at.configs.map(configItem)
  return call(at, 'PUT', '/items', { items: isTurned ? items.toReversed() : items })
}
const writeTemplate: Step = (at) => call(at, 'PUT', '/xray-template', { template })
const turnTemplate = (at: Made, enabled: boolean) => call(at, 'PATCH', '/xray-template/settings', { enabled })

const ownChanges: [name: string, change: Step, before?: Step][] = [
  ['another title', (at) => call(at, 'PATCH', '/title', { title: 'Friends' })],
  ['other items', (at) => call(at, 'PUT', '/items', { items: [configItem(at.configs[1])] })],
  ['another order', (at) => bothItems(at, true), (at) => bothItems(at, false)],
  ['a template', writeTemplate],
  ['a template that is on', (at) => turnTemplate(at, true)],
  ['a template that is off again', (at) => turnTemplate(at, false), (at) => turnTemplate(at, true)],
  ['the usual template again', (at) => call(at, 'DELETE', '/xray-template'), writeTemplate],
]

describe('the revision rises with', () => {
  test.each(ownChanges)('%s, and no other subscription’s does', async (_name, change, prepare) => {
    const made = await start()
    await prepare?.(made)
    const before = await revisions(made)
    await change(made)
    const after = await revisions(made)
    expect(after.get(made.id)).toBeGreaterThan(before.get(made.id) as number)
    after.delete(made.id)
    before.delete(made.id)
    expect(after).toEqual(before)
  })

  test('whatever becomes of what is in it', async () => {
    const made = await start()
    const before = await revisions(made)
    await service.customer(made.user, 'PATCH', `/configs/title/${made.configs[0]}`, { title: 'Дача' })
    const renamed = await revisions(made)
    for (const id of [made.id, made.otherId])
      expect(renamed.get(id)).toBeGreaterThan(before.get(id) as number)
    await custom.pass(30 * 86_400)
    const ended = await revisions(made)
    for (const id of [made.id, made.otherId]) expect(ended.get(id)).toBeGreaterThan(renamed.get(id) as number)
  })

  test('nothing that is refused', async () => {
    const made = await start()
    const before = await revisions(made)
    await call(made, 'PATCH', '/title', { title: '' })
    await call(made, 'PUT', '/items', { items: [configItem(999_999_999)] })
    await call(made, 'PUT', '/xray-template', { template: '[]' })
    await call(made, 'PATCH', '/devices/settings', { device_limit: 5 })
    expect(await revisions(made)).toEqual(before)
  })
})

test('items replaced while what is in them changes: neither waits for the other for ever', async () => {
  const made = await start()
  const [a, b] = made.configs.map(configItem)
  const work = Array.from({ length: 12 }, (_, n) =>
    n % 2 === 0
      ? call(made, 'PUT', '/items', { items: n % 4 === 0 ? [a, b] : [b] })
      : service.customer(made.user, 'PATCH', `/configs/title/${made.configs[n % 4 === 1 ? 0 : 1]}`, {
          title: `T${n}`,
        }),
  )
  for (const { status } of await Promise.all(work)) expect(status).toBe(200)
})
