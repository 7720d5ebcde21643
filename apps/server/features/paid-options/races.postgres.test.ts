import { afterAll, beforeAll, expect, test } from 'vitest'
import { enrolNode } from '../../../../test/support/node.ts'
import { accountOf } from '../../../../test/support/people/account.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
let account: ReturnType<typeof accountOf>
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  account = accountOf(service)
})
afterAll(() => service.stop())

const words = {
  title_ru: 'Опция',
  title_en: 'Option',
  caption_ru: 'Слова',
  caption_en: 'Words',
  description_ru: 'Слова',
  description_en: 'Words',
}
const tariffs = [{ days: 30, prices: [{ payment_method_id: 1, price: 100 }] }]
const makeOption = async (key: string, serverIds: readonly number[], limits: object = {}) => {
  const body = { key, ...words, protocol: 'vless', server_ids: serverIds, tariffs, ...limits }
  const { data } = (await service.operator('POST', '/paid-options', body)).body
  return { id: data.id as number, tariff: data.tariffs[0].id as number }
}
const buy = (user: TestUser, { id, tariff }: { id: number; tariff: number }) =>
  service.customer(user, 'POST', '/paid-options', {
    paid_option_id: id,
    payment_method_id: 1,
    tariff_id: tariff,
  })

test('the last slot of a server is sold once, and who comes too late pays nothing', async () => {
  await service.heartbeat()
  const node = await enrolNode(service, 1, { capacity: 3 })
  await node.report()
  const option = await makeOption('scarce', [1, node.serverId])
  const users = await Promise.all(Array.from({ length: 10 }, () => service.createUser({ balance: 100 })))
  const answers = await Promise.all(users.map((user) => buy(user, option)))
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(3)
  expect(answers.filter((answer) => answer.body.errorCode === 22)).toHaveLength(7)
  const money = await Promise.all(users.map((user) => account.money(user)))
  expect(money.filter(([balance]) => balance === 100)).toHaveLength(7)
  expect(await account.broken()).toEqual([])
})

test('everything at once: nothing is lost, nothing left over, nobody waits for ever', async () => {
  await service.heartbeat()
  const nodes: Awaited<ReturnType<typeof enrolNode>>[] = []
  for (let n = 0; n < 3; n++) nodes.push(await enrolNode(service, n + 1, { capacity: 500 }))
  for (const node of nodes) await node.report()
  const ids = nodes.map((node) => node.serverId)
  const option = await makeOption('busy', ids, { traffic_limit: 1000 })
  const path = `/paid-options/${option.id}`
  const users = await Promise.all(Array.from({ length: 8 }, () => service.createUser({ balance: 5000 })))
  const work = users.map(async (user, n) => {
    expect((await buy(user, option)).status).toBe(201)
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all([
        buy(user, option),
        service.customer(user, 'POST', `${path}/configs`, { protocol: 'vless' }),
        service.customer(user, 'PATCH', `${path}/limits`, { traffic_limit: round === 1 ? 1 : 5000 }),
        service.customer(user, 'PATCH', `${path}/titles/0`, { title: `mine ${n}` }),
        service.call('GET', `/sub/${user.subscription_key}`, { headers: { 'x-hwid': `phone-${n}-012345` } }),
      ])
      expect(answers.map((answer) => answer.status).filter((status) => status >= 500)).toEqual([])
    }
  })
  const office = async () => {
    for (const some of [[0, 1], [1, 2], [2], [0, 1, 2], [0, 2]]) {
      const serverIds = some.map((n) => ids[n])
      const answer = await service.operator('PATCH', path, { server_ids: serverIds })
      expect(answer.status).toBe(200)
      await service.running.runJobs()
    }
  }
  const reports = async () => {
    for (let up = 1; up <= 10; up++) {
      const rows = await service.db
        .selectFrom('placements')
        .select(['access_id', 'node_id'])
        .where('is_present', '=', true)
        .execute()
      for (const node of nodes) {
        const traffic = rows
          .filter((row) => row.node_id === node.nodeId)
          .map((row) => ({ boot_id: 'one', id: `a${row.access_id}`, up: up * 150, down: 0 }))
        expect((await node.report({ traffic })).status).toBe(200)
      }
    }
  }
  await Promise.all([...work, office(), reports()])
  await service.running.runJobs()
  await service.running.runJobs()
  expect(await account.broken()).toEqual([])
  for (const user of users) {
    const [{ configs }] = (await service.customer(user, 'GET', '/paid-options')).body.data
    const own = configs.filter((config: { custom_title: string; index: number }) => config.index < 3)
    expect(own.length).toBeGreaterThanOrEqual(2)
  }
}, 120_000)
