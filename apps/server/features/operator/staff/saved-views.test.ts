import type { Role } from '@sallyport/contract/operation'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'
import { insertOperatorWithToken } from '../../../core/operators/operators.ts'

/** Views of lists: whose they are, who sees them, and who changes them. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

type Call = (method: string, path?: string, body?: unknown) => ReturnType<TestService['call']>

/** Somebody who works here. */
const make = async (role: Role): Promise<Call> => {
  const now = service.clock.now()
  const { token } = await insertOperatorWithToken(service.db, { name: crypto.randomUUID(), role, now })
  return (method, path = '', body) =>
    service.call(method, `/operator/v1/saved-views${path}`, {
      token,
      ...(body !== undefined && { body }),
    })
}

const ending = { page: '/console/customers', title: 'Ending', query: 'view=ending&sort=next_end' }

const titlesOf = async (call: Call): Promise<string[]> =>
  (await call('GET')).body.data.map(({ title }: { title: string }) => title)

test('are seen by whoever made them, and by others when they are shared', async () => {
  const [olga, ivan] = [await make('support'), await make('support')]
  const { status, body } = await olga('POST', '', ending)
  expect(status).toBe(201)
  expect(body.data).toMatchObject({ ...ending, is_shared: false, version: 1 })
  expect(await titlesOf(olga)).toEqual(['Ending'])
  expect(await titlesOf(ivan)).toEqual([])
  const { id } = body.data
  expect((await olga('PATCH', `/${id}`, { is_shared: true })).body.data).toMatchObject({ version: 2 })
  expect(await titlesOf(ivan)).toEqual(['Ending'])
  expect((await olga('DELETE', `/${id}`)).body.data).toBe(true)
  expect(await titlesOf(ivan)).toEqual([])
})

test('are changed by whoever made them, and by owners when they are shared', async () => {
  const [olga, ivan, owner] = [await make('support'), await make('support'), await make('owner')]
  const { id } = (await olga('POST', '', ending)).body.data
  const change = { title: 'Soon' }
  for (const other of [ivan, owner]) {
    expect((await other('PATCH', `/${id}`, change)).status).toBe(404)
    expect((await other('PATCH', `/${id}`, { title: '' })).status).toBe(404)
    expect((await other('DELETE', `/${id}`)).status).toBe(404)
  }
  await olga('PATCH', `/${id}`, { is_shared: true })
  expect((await ivan('PATCH', `/${id}`, change)).status).toBe(404)
  expect((await ivan('PATCH', `/${id}`, { title: '' })).status).toBe(404)
  expect((await ivan('DELETE', `/${id}`)).status).toBe(404)
  expect((await owner('PATCH', `/${id}`, { title: '' })).status).toBe(400)
  expect((await owner('PATCH', `/${id}`, { ...change, version: 2 })).body.data).toMatchObject({
    ...ending,
    ...change,
    is_shared: true,
    version: 3,
  })
  const late = await olga('PATCH', `/${id}`, { title: 'Late', version: 2 })
  expect(late.status).toBe(409)
  expect(late.body.data).toMatchObject({ title: 'Soon', version: 3 })
  expect((await owner('DELETE', `/${id}`)).status).toBe(200)
})

test('are of pages that the role may see', async () => {
  const [support, technician] = [await make('support'), await make('technician')]
  const { status, body } = await technician('POST', '', { ...ending, is_shared: true })
  expect([status, body.details[0].path]).toEqual([400, 'page'])
  for (const page of ['/console/customers/:id', '/console/none', '//elsewhere.example', '/console/../admin'])
    expect((await support('POST', '', { ...ending, page })).status, page).toBe(400)
  for (const query of ['', 'a b', 'a\n', '\u202e', 'x'.repeat(1001)])
    expect((await support('POST', '', { ...ending, query })).status, query).toBe(400)
  await support('POST', '', { ...ending, is_shared: true })
  expect(await titlesOf(technician)).toEqual([])
})

test('have different names on a page, and are not without end', async () => {
  const call = await make('finance')
  await call('POST', '', ending)
  const again = await call('POST', '', { ...ending, query: 'view=ended' })
  expect([again.status, again.body.details[0].path]).toEqual([409, 'title'])
  const other = (await call('POST', '', { ...ending, title: 'Ended' })).body.data
  expect((await call('PATCH', `/${other.id}`, { title: 'Ending' })).status).toBe(409)
  expect((await call('POST', '', { ...ending, page: '/console/orders' })).status).toBe(201)
  const made = await Promise.all(
    Array.from({ length: 100 }, (_, n) => call('POST', '', { ...ending, title: `View ${n}` })),
  )
  expect(made.filter(({ status }) => status === 201)).toHaveLength(97)
  const named = (await titlesOf(call)).filter((title) => title.startsWith('View'))
  expect(named).toHaveLength(97)
})
