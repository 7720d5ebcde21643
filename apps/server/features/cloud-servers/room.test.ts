import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CloudTests } from '../../../../test/support/cloud-servers.ts'
import { comeUp, orderMachine, sellByHand } from '../../../../test/support/machines.ts'
import {
  type Answer,
  startTestService,
  type TestService,
  type TestUser,
} from '../../../../test/support/service.ts'

/** How much fits on a customer's machine. */

const mostAmongOthers = 100

let service: TestService
let clouds: CloudTests
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, hasIdleRounds: true })
  clouds = new CloudTests(service)
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const kinds = [
  ['configs', { protocol: 'vless' }],
  ['configs', { protocol: 'mtproto' }],
  ['proxies', { protocol: 'http' }],
] as const

interface Place {
  readonly user: TestUser
  readonly id: number
}

/** Each a request of its own, all at the same time. */
const askAtOnce = async (
  { user, id }: Place,
  count: number,
  among: number = kinds.length,
): Promise<Answer[]> => {
  await service.heartbeat()
  return Promise.all(
    Array.from({ length: count }, (_, n) => {
      const [path, body] = kinds[n % among] as (typeof kinds)[number]
      return clouds.call(user, 'POST', `/${id}/${path}`, body)
    }),
  )
}
const isMade = ({ status }: Answer): boolean => status === 200 || status === 201
const fill = async (place: Place, count: number, among?: number): Promise<void> => {
  for (let made = 0; made < count; made += 12) {
    const answers = await askAtOnce(place, Math.min(12, count - made), among)
    expect(answers.filter((answer) => !isMade(answer)).map(({ body }) => body)).toEqual([])
  }
}
const listed = async ({ user, id }: Place): Promise<{ id: number }[]> => {
  const lists = ['configs', 'proxies'].map((path) => clouds.call(user, 'GET', `/${id}/${path}`))
  return (await Promise.all(lists)).flatMap(({ body }) => body.data)
}
const full = { statusCode: 409, errorCode: 22 }

test('among others a customer has room for a hundred, of every kind together', async () => {
  const user = await service.createUser({ balance: 10_000 })
  const place = { user, id: (await clouds.active(user)).id }
  await fill(place, mostAmongOthers - 4)
  const answers = await askAtOnce(place, 12)
  expect(answers.filter(isMade)).toHaveLength(4)
  for (const { body } of answers.filter((answer) => !isMade(answer))) expect(body).toMatchObject(full)
  expect(await listed(place)).toHaveLength(mostAmongOthers)
  for (const { body } of await askAtOnce(place, kinds.length)) expect(body).toMatchObject(full)

  const [config] = await listed(place)
  await clouds.call(user, 'DELETE', `/${place.id}/configs/${config?.id}`)
  const [again, more] = [await askAtOnce(place, 1), await askAtOnce(place, 1)].flat() as [Answer, Answer]
  expect([isMade(again), more.body]).toEqual([true, expect.objectContaining(full)])

  const neighbour = await service.createUser({ balance: 10_000 })
  await fill({ user: neighbour, id: (await clouds.active(neighbour)).id }, 1)
})

test('on a machine of their own there is room for more', async () => {
  const { order } = await sellByHand(service)
  const place = await orderMachine(service, order)
  await clouds.pass(3)
  const path = `/cloud-servers/${place.id}/address`
  const { body } = await service.operator('POST', path, { address: '198.51.100.7' })
  await comeUp(service, body.data.enrolment_token)
  await clouds.pass(3)
  expect(await clouds.list(place.user)).toMatchObject([{ status: 'active' }])
  await fill(place, mostAmongOthers + 1, 1)
  expect(await listed(place)).toHaveLength(mostAmongOthers + 1)
})
