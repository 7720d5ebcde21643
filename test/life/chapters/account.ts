import { bearer } from '../people.ts'
import type { World } from '../world.ts'

/** What Anna keeps in her account before she buys anything. */

const keys = async ({ life, anna, boris }: World): Promise<void> => {
  const create = (body: object, headers?: Record<string, string>) =>
    life.ask(anna, 'createApiKey', { body, ...(headers && { headers }) })
  await life.ask(anna, 'listApiKeys')
  const once = { 'idempotency-key': 'first key' }
  const { data: first } = await create({ title: 'Дом' }, once)
  await create({ title: 'Дом' }, once)
  anna.apiKey = first.api_key
  await create({})
  await create({ title: '' })
  for (const title of ['three', 'four', null]) await create({ title })
  await create({ title: 'six' })
  await life.ask(anna, 'getProfile')
  await life.jobs()
  const { data: list } = await life.ask(anna, 'listApiKeys')
  const second = list.find(({ title }: { title: string | null }) => title === 'three')
  await life.renewSession(boris)
  await life.ask(boris, 'revokeApiKey', { params: { id: second.id } })
  await life.ask(anna, 'revokeApiKey', { params: { id: second.id } })
  await life.ask(anna, 'revokeApiKey', { params: { id: second.id } })
  await life.ask(anna, 'revokeApiKey', { params: { id: 'abc' } })
  await life.ask(bearer('anna’s key', anna.apiKey), 'createApiKey', { body: {} })
  const { data: made } = await life.ask(boris, 'createApiKey', { body: { title: 'boris' } })
  boris.apiKey = made.api_key
}

const reminders = async ({ life, anna }: World): Promise<void> => {
  const change = (body: object) => life.ask(anna, 'changeNotificationSettings', { body })
  await life.ask(anna, 'showNotificationSettings')
  await change({ notification_start_hour: 9, notification_end_hour: 21, timezone_offset: 180 })
  await change({ renewal_reminders: false })
  await change({ notification_start_hour: 24 })
  await change({ renewal_reminders: true })
  await life.ask(anna, 'showNotificationSettings')
}

const waysIn = async ({ life, anna, boris }: World): Promise<void> => {
  const { data: identities } = await life.ask(anna, 'listIdentities')
  const [first] = identities
  await life.ask(boris, 'deleteIdentity', { params: { id: first.id } })
  await life.ask(anna, 'deleteIdentity', { params: { id: first.id } })
  await life.ask(anna, 'listIdentities')
  const { data: passkeys } = await life.ask(anna, 'listPasskeys')
  await life.ask(boris, 'deletePasskey', { params: { id: passkeys[0].id } })
  await life.ask(anna, 'deletePasskey', { params: { id: passkeys[0].id } })
  await life.ask(anna, 'deletePasskey', { params: { id: passkeys[0].id } })
  await life.ask(anna, 'listPasskeys')
}

/** Somebody who has one way in only. */
const lastWay = async ({ life, oauth }: World): Promise<void> => {
  const { answer, browser, url } = await oauth.start({ provider: 'vk' })
  if (answer.statusCode !== 200) throw new Error('VK ID is away')
  const { body } = await oauth.open(browser, oauth.vk.authorize(url, 7002))
  const lone = bearer('a customer of VK ID', body.data.session_token)
  life.normalise(body.data)
  const { data } = await life.ask(lone, 'listIdentities')
  await life.ask(lone, 'deleteIdentity', { params: { id: data[0].id } })
}

const messages = async ({ life, anna, support }: World): Promise<void> => {
  const leave = (content: string, id = anna.id) =>
    life.ask(support, 'createNotification', { params: { id }, body: { content } })
  await leave('Добро пожаловать')
  await leave('')
  await leave('hello', 999_999_999)
  await life.ask(anna, 'takeNotifications')
  await life.ask(anna, 'takeNotifications')
}

const money = async ({ life, anna, boris, finance, support }: World): Promise<void> => {
  const adjust = (id: number, body: object, who = finance) =>
    life.ask(who, 'adjustBalance', { params: { id }, body })
  await adjust(anna.id, { account: 'wallet', amount: 20_000, reason: 'подарок' })
  await adjust(boris.id, { account: 'wallet', amount: 1000, reason: 'gift' })
  await adjust(boris.id, { account: 'referral', amount: 10, reason: 'gift' })
  await adjust(boris.id, { account: 'referral', amount: -11, reason: 'mistake' })
  await adjust(boris.id, { account: 'wallet', amount: -1001, reason: 'mistake' })
  await adjust(boris.id, { account: 'wallet', amount: 0, reason: 'nothing' })
  await adjust(boris.id, { account: 'wallet', amount: 1, reason: 'x' }, support)
  await adjust(999_999_999, { account: 'wallet', amount: 1, reason: 'x' })
  await life.ask(boris, 'takeNotifications', { headers: { 'accept-language': 'en' } })
}

export const account = async (world: World): Promise<void> => {
  const { life, anna } = world
  await life.renewSession(anna)
  await life.ask(anna, 'finishOnboarding')
  await life.ask(anna, 'finishOnboarding')
  await keys(world)
  await reminders(world)
  await waysIn(world)
  await lastWay(world)
  await messages(world)
  await money(world)
  await life.ask(anna, 'getProfile')
  await life.ask(anna, 'listLocations', { headers: { 'accept-language': 'en' } })
  await life.ask(anna, 'listLocations')
  await life.ask(anna, 'generateXrayKeys')
  await life.subscription(anna)
  await life.subscription(anna, { 'accept-language': 'en' })
  await life.raw('GET', `/sub/${'A'.repeat(32)}`)
}
