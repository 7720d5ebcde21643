import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testEngine } from '../../../../../test/support/databases/database.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { readConfig } from '../../../config.ts'
import { createOperator } from '../../../core/operators/operators.ts'
import { type RunningService, startService } from '../../../main.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const operatorAs = (role: 'owner' | 'finance' | 'support') =>
  createOperator(service.db, { name: role, role, now: service.clock.now() })
const auditOf = async (action: string, userId: number) =>
  (await service.operator('GET', `/audit?action=${action}&subject=user:${userId}`)).body.data

describe('PATCH /users/:id/blocked', () => {
  let other: RunningService | undefined
  beforeAll(async () => {
    // The embedded database belongs to one process, so there is no second instance to tell.
    if (testEngine() !== 'postgres') return
    other = await startService(readConfig(service.env), { clock: service.clock })
  })
  afterAll(() => other?.stop())

  const block = (user: TestUser, isBlocked: boolean) =>
    service.operator('PATCH', `/users/${user.id}/blocked`, { is_blocked: isBlocked })
  const statusAt = async (url: string, token: string): Promise<number> => {
    const response = await fetch(`${url}/v1/profile`, { headers: { authorization: `Bearer ${token}` } })
    await response.arrayBuffer()
    return response.status
  }

  test('closes and opens an account at once on every instance, for keys and sessions just used', async () => {
    const [user, bystander] = [await service.createUser(), await service.createUser()]
    const urls = [service.running.url, ...(other ? [other.url] : [])]
    const tokens = [user.api_key, user.session_token]
    const expectAll = async (status: number) => {
      for (const token of tokens) {
        // The instance that was asked has forgotten already; the other one hears of it.
        expect(await statusAt(service.running.url, token)).toBe(status)
        for (const url of urls) await expect.poll(() => statusAt(url, token), { timeout: 1000 }).toBe(status)
      }
    }
    await expectAll(200)
    expect((await block(user, true)).body.data).toBe(true)
    await expectAll(403)
    for (const url of urls) expect(await statusAt(url, bystander.api_key)).toBe(200)
    expect((await service.call('GET', `/sub/${user.subscription_key}`)).status).toBe(404)
    expect((await service.operator('GET', `/users?search=${user.id}`)).body.data.items[0].is_blocked).toBe(
      true,
    )
    expect((await block(user, false)).body.data).toBe(true)
    await expectAll(200)
    expect((await service.call('GET', `/sub/${user.subscription_key}`)).status).toBe(200)
    const log = await auditOf('blockUser', user.id)
    expect(log.map((entry: { details: object }) => entry.details)).toEqual([
      { before: { is_blocked: true }, after: { is_blocked: false } },
      { before: { is_blocked: false }, after: { is_blocked: true } },
    ])
  })

  test('an unknown customer is 404, nonsense is 400, and every operator may', async () => {
    const missing = await service.operator('PATCH', '/users/999999999/blocked', { is_blocked: true })
    expect([missing.status, missing.body.errorCode]).toEqual([404, 1])
    const user = await service.createUser()
    const path = `/users/${user.id}/blocked`
    for (const body of [{}, { is_blocked: 'yes' }]) {
      expect((await service.operator('PATCH', path, body)).status).toBe(400)
    }
    for (const role of ['owner', 'finance', 'support'] as const) {
      const token = await operatorAs(role)
      const answer = await service.call('PATCH', `/operator/v1${path}`, { token, body: { is_blocked: true } })
      expect(answer.status, role).toBe(200)
    }
  })
})

describe('pricing rules', () => {
  test('are listed and taken away; somebody else’s rule is 404', async () => {
    const [user, stranger] = [await service.createUser(), await service.createUser()]
    const path = `/users/${user.id}/pricing-rules`
    expect((await service.operator('GET', path)).body.data).toEqual([])
    const all = (await service.operator('POST', path, { type: 'all', percent: -5 })).body.data
    const named = { type: 'config', product_id: 2, percent: 7.5, comment: 'vip' }
    const one = (await service.operator('POST', path, named)).body.data
    expect((await service.operator('GET', path)).body.data).toEqual([
      { id: all.id, type: 'all', product_id: null, percent: -5, comment: null },
      { id: one.id, ...named },
    ])
    const foreign = await service.operator('DELETE', `/users/${stranger.id}/pricing-rules/${all.id}`)
    expect([foreign.status, foreign.body.errorCode]).toEqual([404, 1])
    expect((await service.operator('DELETE', `${path}/${one.id}`)).body.data).toBe(true)
    const again = await service.operator('DELETE', `${path}/${one.id}`)
    expect([again.status, again.body.errorCode]).toEqual([404, 1])
    expect((await service.operator('GET', path)).body.data).toHaveLength(1)
    const log = await auditOf('deletePricingRule', user.id)
    expect(log.map((entry: { details: object }) => entry.details)).toEqual([
      { before: { id: one.id, ...named }, after: null },
    ])
    const profile = await service.customer(user, 'GET', '/profile')
    expect(profile.body.data.pricing_rules).toHaveLength(1)
  })

  test('of an unknown customer are 404; all may look, those with money in their role may change', async () => {
    const missing = await service.operator('GET', '/users/999999999/pricing-rules')
    expect([missing.status, missing.body.errorCode]).toEqual([404, 1])
    const user = await service.createUser()
    const path = `/users/${user.id}/pricing-rules`
    for (const role of ['owner', 'finance', 'support'] as const) {
      const token = await operatorAs(role)
      const { id } = (await service.operator('POST', path, { type: 'all', percent: 1 })).body.data
      expect((await service.call('GET', `/operator/v1${path}`, { token })).status).toBe(200)
      const deleted = await service.call('DELETE', `/operator/v1${path}/${id}`, { token })
      expect(deleted.status).toBe(role === 'support' ? 403 : 200)
    }
  })
})
