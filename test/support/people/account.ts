import { CompiledQuery } from 'kysely'
import { brokenRules } from '../databases/invariants.ts'
import type { TestService, TestUser } from '../service.ts'

/** What a person does to their account, and what can be seen of it. */
export const accountOf = (service: TestService) => {
  /** With a session, which lives a quarter of an hour. */
  const own = (user: TestUser, method: string, path: string, body?: unknown) =>
    service.call(method, `/v1${path}`, { token: user.session_token, body })
  const get = async (user: TestUser, path: string) => (await service.customer(user, 'GET', path)).body.data
  const createKey = async (user: TestUser): Promise<string> =>
    (await own(user, 'POST', '/profile/transfer/createKey')).body.data.key
  const activate = (user: TestUser, key: string) =>
    own(user, 'POST', '/profile/transfer/activateKey', { key })
  return {
    own,
    get,
    createKey,
    activate,
    move: async (from: TestUser, to: TestUser) => activate(to, await createKey(from)),
    /** Balance and referral balance. */
    money: async (user: TestUser): Promise<[number, number]> => {
      const { balance, referral_balance } = await get(user, '/profile')
      return [balance, referral_balance]
    },
    erase: (user: TestUser) => own(user, 'DELETE', '/profile'),
    signInAgain: async (user: TestUser): Promise<TestUser> => {
      const { body } = await service.operator('POST', `/users/${user.id}/sessions`)
      return { ...user, session_token: body.data.session_token }
    },
    /** Unpaid until `pay`. */
    order: async (user: TestUser, path: string, body: object): Promise<string> =>
      (await service.customer(user, 'POST', path, { ...body, payment_method_id: 2 })).body.data.link,
    pay: (link: string) => service.call('POST', new URL(link).pathname, { body: { action: 'pay' } }),
    events: async (user: TestUser) => (await service.operator('GET', `/users/${user.id}/events`)).body.data,
    alerts: async (kind: string) =>
      (await service.operator('GET', '/alerts?is_open=true')).body.data.filter(
        (alert: { kind: string }) => alert.kind === kind,
      ),
    broken: (options?: { isAtRest: boolean }) =>
      brokenRules(
        async (sql) => (await service.db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql))).rows,
        options,
      ),
  }
}
