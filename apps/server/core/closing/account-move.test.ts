import { ofEachProduct } from '@sallyport/contract/product-types'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CloudTests } from '../../../../test/support/cloud-servers.ts'
import { enrolNode } from '../../../../test/support/node.ts'
import { accountOf } from '../../../../test/support/people/account.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

const day = 86_400

let service: TestService
let account: ReturnType<typeof accountOf>
let source: TestUser
let target: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  account = accountOf(service)
})
beforeEach(async () => {
  await service.heartbeat()
  source = await service.createUser({ balance: 2000, referral_balance: 70 })
  target = await service.createUser({ balance: 5 })
})
afterEach(async () => expect(await account.broken()).toEqual([]))
afterAll(() => service.stop())

const jobs = () => service.running.runJobs()
const notes = async (user: TestUser, language = 'ru'): Promise<string> => {
  const headers = { 'accept-language': language }
  const { body } = await service.customer(user, 'GET', '/profile/notifications', undefined, headers)
  return body.data.map((note: { content: string }) => note.content).join('\n')
}

describe('what moves', () => {
  test('everything that was bought and earned, unchanged; who the source is stays', async () => {
    const node = await enrolNode(service, 1)
    await node.report()
    const onNode = { server_id: node.serverId }
    const first = await service.buy(source, { ...onNode, enable_auto_renewal: true })
    const second = await service.buy(source, onNode)
    await service.customer(source, 'PATCH', `/configs/title/${first.id}`, { title: 'Home' })
    const bridge = { first_config_id: first.id, second_config_id: second.id }
    expect((await service.customer(source, 'POST', '/configs/makeBridge', bridge)).status).toBe(201)
    const { promocode } = await service.buy(source, { as_key: true })
    target = await service.createUser({ balance: 205 })
    const other = await service.buy(target)
    const [configs, profile] = [await account.get(source, '/configs'), await account.get(source, '/profile')]
    const state = await node.poll(0)

    const { status, body } = await account.move(source, target)
    expect([status, body.data]).toEqual([
      200,
      {
        ...ofEachProduct(() => 0),
        configs: 2,
        promocodes: 1,
        balance: 2000 - 3 * 200,
        referral_balance: 70,
      },
    ])
    expect(await account.get(target, '/configs')).toEqual([
      ...configs,
      expect.objectContaining({ id: other.id }),
    ])
    expect(await account.get(target, '/profile/promocodes')).toMatchObject([{ code: promocode }])
    expect(await account.money(target)).toEqual([2000 - 3 * 200 + 5, 70])

    expect(await account.get(source, '/configs')).toEqual([])
    expect(await account.get(source, '/profile/promocodes')).toEqual([])
    expect(await account.get(source, '/profile')).toEqual({ ...profile, balance: 0, referral_balance: 0 })
    expect(await account.get(source, '/profile/payments-history')).toHaveLength(3)
    expect(await node.poll(0)).toEqual(state)
    expect(await node.poll(state.revision)).toMatchObject({ kind: 'unchanged' })
  })

  test('is written down on both sides and told to both, in both languages', async () => {
    await service.buy(source)
    await account.move(source, target)
    const moved = { configs: 1, promocodes: 0, balance: 1800, referral_balance: 70, referral_hold: 0 }
    expect(await account.events(source)).toMatchObject([
      { kind: 'transferred_out', details: { to_user_id: target.id, ...moved } },
    ])
    expect(await account.events(target)).toMatchObject([
      { kind: 'transferred_in', details: { from_user_id: source.id, ...moved } },
    ])
    expect(await notes(source)).toContain(`перенесено в аккаунт № ${target.id} (подключений: 1,`)
    expect(await notes(target, 'en')).toContain(`Moved here from account ${source.id}: connections: 1,`)
  })

  test('credentials go along, and whoever gets them is told how to renew them all', async () => {
    const config = await service.buy(source)
    await account.move(source, target)
    expect(await account.get(target, '/configs')).toMatchObject([{ connection_url: config.connection_url }])
    const renewal = 'POST /v1/profile/resetCredentials'
    expect(await notes(source)).not.toContain(renewal)
    const told = await service.db
      .selectFrom('notifications')
      .select(['content', 'content_en'])
      .where('user_id', '=', target.id)
      .executeTakeFirstOrThrow()
    expect(told.content).toContain(`Ключи подключения прежние, и всё, что подключено, продолжит работать.`)
    expect(told.content_en).toContain('The connection keys are the same')
    for (const text of [told.content, told.content_en]) expect(text).toContain(renewal)
    const [path, token] = ['/v1/profile/resetCredentials', target.session_token]
    expect((await service.call('POST', path, { token })).body.data).toBe(1)
    expect((await account.get(target, '/configs'))[0].connection_url).not.toBe(config.connection_url)
  })

  test('where nothing has credentials there is nothing to renew', async () => {
    await account.move(source, target)
    expect(await notes(target)).not.toContain('resetCredentials')
  })

  test('what has ended and can be renewed, and the reminders that wait', async () => {
    const { id } = await service.buy(source)
    const ending = await service.buy(source)
    const ends = { expires_at: service.clock.now() + 3600 }
    await service.db.updateTable('terms').set(ends).where('item_id', '=', ending.id).execute()
    await service.db
      .updateTable('terms')
      .set({ expires_at: service.clock.now() - 5 })
      .where('item_id', '=', id)
      .execute()
    await jobs()
    expect((await account.move(source, target)).body.data).toMatchObject({ configs: 2 })
    expect(
      (await service.customer(target, 'POST', `/configs/renewal/${id}`, { payment_method_id: 1 })).status,
    ).toBe(201)
    await service.db.updateTable('notifications').set({ visible_at: 0 }).execute()
    expect([await notes(source, 'en'), await notes(target, 'en')]).toEqual([
      expect.not.stringContaining('is paid for until'),
      expect.stringContaining('is paid for until'),
    ])
  })

  test('nothing of an empty account, without an entry in the ledger', async () => {
    const empty = await service.createUser()
    const answer = await account.move(empty, target)
    expect(answer.body.data).toEqual({
      ...ofEachProduct(() => 0),
      promocodes: 0,
      balance: 0,
      referral_balance: 0,
    })
  })

  test('cloud servers, which are counted and told of', async () => {
    const clouds = new CloudTests(service)
    source = await service.createUser({ balance: 5000 })
    const server = await clouds.active(source)
    const key = await account.createKey(source)
    const { body } = await account.activate(target, key)
    expect(body.data).toMatchObject({ configs: 0, paid_options: 0, cloud_servers: 1 })
    expect((await account.activate(target, key)).body.data).toEqual(body.data)
    expect(await clouds.list(target)).toMatchObject([{ id: server.id }])
    expect(await clouds.list(source)).toEqual([])
    expect(await notes(target)).toContain('своих серверов: 1')
    expect(await notes(source, 'en')).toContain('servers of your own: 1')
  })

  test('earnings on hold, which are released to the target', async () => {
    const friend = await service.createUser({ referral_code: source.referral_code })
    const links = [await account.order(friend, '/profile/balance/topup', { amount: 1000 })]
    links.push(await account.order(friend, '/profile/balance/topup', { amount: 500 }))
    for (const link of links) await account.pay(link)
    await jobs()
    await account.move(source, target)
    expect(await account.get(source, '/profile/referral')).toEqual([])
    expect(await account.get(target, '/profile/referral')).toHaveLength(2)
    service.clock.advance(15 * day)
    await jobs()
    expect([await account.money(source), await account.money(target)]).toEqual([
      [0, 0],
      [2005, 370],
    ])
    // Whoever comes by the source's code later is the source's again.
    await account.pay(await account.order(friend, '/profile/balance/topup', { amount: 100 }))
    await jobs()
    expect(await account.get(source, '/profile/referral')).toMatchObject([{ amount: 20, status: 'held' }])
  })
})

describe('the key', () => {
  const refused = { errorCode: 10, message: 'TRANSFER_KEY_INVALID' }

  test('works once, within a quarter of an hour, and only the newest', async () => {
    const earlier = await account.createKey(source)
    const key = await account.createKey(source)
    expect(key).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
    expect((await account.activate(target, earlier)).body).toMatchObject(refused)
    expect((await account.activate(target, key.toLowerCase().replaceAll('-', ''))).status).toBe(200)
    expect((await account.activate(source, key)).body).toMatchObject(refused)
    expect((await account.activate(await service.createUser(), key)).body).toMatchObject(refused)
    const old = await account.createKey(source)
    service.clock.advance(15 * 60)
    target = await account.signInAgain(target)
    expect((await account.activate(target, old)).body).toMatchObject(refused)
  })

  test('gives its answer again to whoever did not hear it, and counts as no guess', async () => {
    await service.buy(source)
    const key = await account.createKey(source)
    const first = await account.activate(target, key)
    await account.erase(source)
    service.clock.advance(14 * 60)
    for (let n = 0; n < 11; n++) {
      const { status, body } = await account.activate(target, ` ${key.toLowerCase()}`)
      expect([status, body.data]).toEqual([200, first.body.data])
    }
    expect(await account.events(target)).toHaveLength(1)
    expect(await account.money(target)).toEqual([1805, 70])
  })

  test('is of no use to its own account, and stays good', async () => {
    const key = await account.createKey(source)
    const own = await account.activate(source, key)
    expect([own.status, own.body.details[0].problem]).toEqual([409, expect.stringContaining('this account')])
    expect((await account.activate(target, key)).status).toBe(200)
  })

  test('does not open a blocked account, nor one that is deleted', async () => {
    const key = await account.createKey(source)
    await service.operator('PATCH', `/users/${source.id}/blocked`, { is_blocked: true })
    expect((await account.activate(target, key)).status).toBe(409)
    await service.operator('PATCH', `/users/${source.id}/blocked`, { is_blocked: false })
    expect((await account.erase(source)).status).toBe(200)
    expect((await account.activate(target, key)).body).toMatchObject(refused)
  })

  test('cannot be guessed: ten wrong ones an hour', async () => {
    const key = await account.createKey(source)
    const wrong = `${key.slice(0, -4)}${key.endsWith('0000') ? '1111' : '0000'}`
    for (let n = 0; n < 10; n++) expect((await account.activate(target, wrong)).status).toBe(400)
    const { status, headers } = await account.activate(target, key)
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true])
    const another = await service.createUser()
    expect((await account.activate(another, key)).body).toMatchObject(refused)
  })
})
