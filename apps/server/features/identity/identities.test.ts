import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAddress, Visitor } from '../../../../test/support/people/mailbox.ts'
import { type OauthWorld, startOauthWorld } from '../../../../test/support/people/oauth.ts'
import { PasskeyPage } from '../../../../test/support/people/passkeys.ts'
import { botToken, initDataOf } from '../../../../test/support/people/telegram.ts'
import type { TestService, TestUser } from '../../../../test/support/service.ts'

let world: OauthWorld
let service: TestService
beforeAll(async () => {
  world = await startOauthWorld({ TELEGRAM_BOT_TOKEN: botToken })
  service = world.service
})
afterAll(() => world.stop())

const list = async ({ session_token: token }: TestUser) =>
  (await service.call('GET', '/v1/profile/identities', { token })).body.data
const remove = ({ session_token: token }: TestUser, id: number) =>
  service.call('DELETE', `/v1/profile/identities/${id}`, { token })
const linkGoogle = (user: TestUser, person = world.person()) =>
  world.signIn(person, { body: { link: true }, token: user.session_token })
const linkTelegram = (user: TestUser, id: number) => {
  const body = { init_data: initDataOf(id, service.clock.now()), link: true }
  return service.call('POST', '/v1/auth/telegram', { body, token: user.session_token })
}

describe('accounts elsewhere', () => {
  test('are listed under the names people know', async () => {
    const user = await service.createUser()
    await linkGoogle(user)
    await linkTelegram(user, 7001)
    const former = { user_id: user.id, provider: 'former', subject: '1', created_at: 5 }
    await service.db.insertInto('identities').values(former).execute()
    const row = { id: expect.any(Number), created_at: service.clock.now() }
    expect(await list(user)).toEqual([
      { ...row, provider: 'google', title: 'Google' },
      { ...row, provider: 'telegram', title: 'Telegram' },
      { ...row, provider: 'former', title: 'former', created_at: 5 },
    ])
    expect(await list(await service.createUser())).toEqual([])
    const { status } = await service.call('GET', '/v1/profile/identities', { token: user.api_key })
    expect(status).toBe(403)
  })

  test('that are unlinked open the account no more', async () => {
    const user = await service.createUser({ email: newAddress() })
    const person = world.person()
    await linkGoogle(user, person)
    const [{ id }] = await list(user)
    expect((await remove(user, id)).body.data).toBe(true)
    expect(await list(user)).toEqual([])
    const stranger = (await world.signIn(person)).body.data
    expect([stranger.is_new_account, stranger.user_id === user.id]).toEqual([true, false])
    const [event] = (await service.operator('GET', `/users/${user.id}/events`)).body.data
    expect(event).toMatchObject({ kind: 'identity_unlinked', details: { method: 'google' } })
  })

  test('of somebody else do not exist', async () => {
    const [owner, stranger] = [await service.createUser(), await service.createUser({ email: newAddress() })]
    await linkGoogle(owner)
    const [{ id }] = await list(owner)
    const foreign = await remove(stranger, id)
    expect([foreign.status, foreign.body.errorCode]).toEqual([404, 1])
    expect(foreign.body).toEqual((await remove(stranger, 999_999_999)).body)
    expect(await list(owner)).toHaveLength(1)
  })

  test('the messenger is connected as long as one of them is there', async () => {
    const user = await service.createUser({ email: newAddress() })
    const isConnected = async () =>
      (await service.customer(user, 'GET', '/profile')).body.data.is_messenger_connected
    await linkGoogle(user)
    await linkTelegram(user, 7002)
    await linkTelegram(user, 7003)
    const seen: boolean[] = []
    for (const { id } of await list(user)) {
      await remove(user, id)
      seen.push(await isConnected())
    }
    expect(seen).toEqual([true, true, false])
  })

  test('a session that ended a moment ago unlinks nothing', async () => {
    const user = await service.createUser({ email: newAddress() })
    await linkTelegram(user, 7004)
    const [{ id }] = await list(user)
    // Behind the back of the service, which goes on to know them for a moment.
    const sessions = service.db.updateTable('sessions').where('user_id', '=', user.id)
    await sessions.set({ revoked_at: service.clock.now() }).execute()
    expect((await remove(user, id)).status).toBe(401)
  })
})

describe('the owner is told of a new way in, and what to do', () => {
  const noticesOf = async (userId: number) => {
    const rows = await service.db
      .selectFrom('notifications')
      .select(['content', 'content_en'])
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute()
    return rows.map(({ content, content_en }) => `${content} ${content_en}`)
  }
  /** In both languages, with the advice at the end. */
  const telling = (ru: string, en: string) =>
    expect.stringMatching(new RegExp(`${ru}.* завершите все сеансы\\. .*${en}.* end all sessions\\.$`))

  test('linked by a session, each time', async () => {
    const user = await service.createUser()
    const person = world.person()
    await linkGoogle(user, person)
    await linkTelegram(user, 7005)
    await linkTelegram(user, 7005)
    const isLinked = (title: string) => telling(`: ${title}\\. .*отвяжите`, `: ${title}\\. .*remove`)
    expect(await noticesOf(user.id)).toEqual([isLinked('Google'), isLinked('Telegram')])
    const [, telegram] = await list(user)
    await remove(user, telegram.id)
    await linkTelegram(user, 7005)
    expect(await noticesOf(user.id)).toHaveLength(3)
  })

  test('linked by an address that a provider vouches for', async () => {
    const email = newAddress()
    const user = await service.createUser({ email })
    const { user_id } = (
      await world.signIn(world.person({ email, email_verified: true }), { provider: 'office' })
    ).body.data
    expect(user_id).toBe(user.id)
    expect(await noticesOf(user.id)).toEqual([telling(': office', ': office')])
  })

  test('another address', async () => {
    const user = await service.createUser()
    const visitor = new Visitor(service)
    for (const email of [newAddress(), newAddress()]) {
      await visitor.verify(email, await visitor.ask(email), { link: true }, user.session_token)
    }
    const isChanged = telling('адрес почты', 'e-mail address')
    expect(await noticesOf(user.id)).toEqual([isChanged, isChanged])
  })

  test('a passkey', async () => {
    const user = await service.createUser()
    const { title } = (await new PasskeyPage(service).register(user)).body.data
    const isAdded = telling(`«${title}».*удалите`, `“${title}”.*delete`)
    expect(await noticesOf(user.id)).toEqual([isAdded])
  })

  test('but not of the way that made the account, nor of one it has', async () => {
    const person = world.person()
    const { user_id } = (await world.signIn(person)).body.data
    await world.signIn(person)
    expect(await noticesOf(user_id)).toEqual([])
  })
})
