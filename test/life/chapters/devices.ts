import { anotherCode, codeTo } from '../../support/people/mailbox.ts'
import { usualOrder } from '../../support/service.ts'
import { laptop, phone } from '../../support/subscription.ts'
import { nobody } from '../people.ts'
import type { World } from '../world.ts'

/** Apps fetch the subscription, and Anna decides which may. */

const tablet = { 'x-hwid': 'tablet-0123456789', 'x-device-os': 'iOS', 'user-agent': 'Streisand/1.6' }

const first = async ({ life, boris }: World): Promise<void> => {
  await life.ask(boris, 'buyConfig', { body: usualOrder })
  await life.ask(boris, 'listApps', { query: { platform: 'ios' } })
  await life.ask(boris, 'listApps', { query: { platform: 'toaster' } })
  await life.ask(boris, 'listDevices')
  await life.ask(boris, 'showDeviceSettings')
  await life.subscription(boris, phone)
  await life.wait(60)
  const served = await life.subscription(boris, laptop)
  await life.subscription(boris, { ...laptop, 'if-none-match': served.headers.get('etag') ?? '' })
  await life.subscription(boris, { 'x-hwid': 'short' })
  await life.ask(boris, 'listDevices')
  await life.ask(boris, 'listDevices', { query: { page: 2, limit: 1 } })
  await life.ask(boris, 'listDevices', { query: { page: 0 } })
}

/** From the page of the subscription into the account: the key shows, and names; the code opens. */
const byKey = async ({ life, boris }: World): Promise<void> => {
  const subscription_key = boris.subscriptionKey
  await life.ask(nobody, 'showSubscriptionState', { body: { subscription_key } })
  await life.ask(nobody, 'showSubscriptionState', { body: { subscription_key: 'A'.repeat(32) } })
  await life.ask(nobody, 'startSubscriptionSignIn', { body: { subscription_key: 'A'.repeat(32) } })
  await life.ask(nobody, 'startSubscriptionSignIn', { body: { subscription_key } })
  const code = codeTo(life.service, 'boris@example.com')
  const verify = (typed: string) =>
    life.ask(nobody, 'verifySubscriptionSignIn', { body: { subscription_key, code: typed } })
  await verify(anotherCode(code))
  await verify(code)
  await verify(code)
}

const limits = async ({ life, anna, boris }: World): Promise<void> => {
  const change = (body: object) => life.ask(boris, 'changeDeviceSettings', { body })
  await change({ device_limit: 2 })
  await change({ device_limit: 101 })
  await change({ no_such: 1 })
  await life.subscription(boris, tablet)
  await life.subscription(boris, { ...tablet, 'accept-language': 'en' })
  await life.subscription(boris)
  await life.subscription(boris, phone)
  await life.ask(boris, 'takeNotifications')
  const { data } = await life.ask(boris, 'listDevices')
  const [device] = data.devices
  const block = (is_blocked: unknown, who = boris, id = device.id) =>
    life.ask(who, 'blockDevice', { params: { id }, body: { is_blocked } })
  await block(true, anna)
  await block(true, boris, 999_999_999)
  await block('yes')
  await block(true)
  await life.subscription(boris, phone)
  await life.subscription(boris, tablet)
  await block(false)
  await change({ block_unknown_devices: true, device_limit: 0 })
  await life.subscription(boris, { 'x-hwid': 'another-0123456789' })
  await life.ask(boris, 'takeNotifications', { headers: { 'accept-language': 'en' } })
}

const forgetting = async ({ life, anna, boris }: World): Promise<void> => {
  const { data } = await life.ask(boris, 'listDevices')
  const [device] = data.devices
  await life.ask(anna, 'deleteDevice', { params: { id: device.id } })
  await life.ask(boris, 'deleteDevice', { params: { id: device.id } })
  await life.ask(boris, 'deleteDevice', { params: { id: device.id } })
  await life.ask(boris, 'deleteAllDevices')
  await life.ask(boris, 'deleteAllDevices')
  await life.ask(boris, 'changeDeviceSettings', { body: { block_unknown_devices: false } })
  await life.subscription(boris, phone)
  const old = boris.subscriptionKey
  const { data: key } = await life.ask(boris, 'resetSubscriptionLink')
  await life.subscription(boris, phone)
  boris.subscriptionKey = key
  await life.subscription(boris, phone)
  await life.ask(boris, 'listDevices')
  await life.ask(boris, 'getProfile')
  if (old === key) throw new Error('the link was not reset')
}

export const devices = async (world: World): Promise<void> => {
  await first(world)
  await byKey(world)
  await limits(world)
  await forgetting(world)
}

/** Somebody puts a connection on their mother's phone, and takes another link back. */
export const oneTimeLinks = async ({ life }: World): Promise<void> => {
  const pavel = await life.newcomer('pavel', { balance: 1000 })
  const other = await life.newcomer('a stranger')
  const { data: config } = await life.ask(pavel, 'buyConfig', { body: usualOrder })
  const create = (who: typeof pavel, config_id: unknown) =>
    life.ask(who, 'createOneTimeLink', { body: { config_id } })
  const open = (url: string, more: object = {}) =>
    life.ask(nobody, 'openOneTimeLink', { body: { key: new URL(url).hash.slice(1), ...more } })
  await create(other, config.id)
  await create(pavel, 'all')
  const { data: made } = await create(pavel, config.id)
  await open('https://vpn.example.com/once#unknown')
  await open(made.url, { platform: 'toaster' })
  await open(made.url, { platform: 'android', attempt: 'phone-of-his-mother' })
  await open(made.url, { attempt: 'phone-of-his-mother' })
  await open(made.url)
  const { data: second } = await create(pavel, config.id)
  const takeBack = (who: typeof pavel) => life.ask(who, 'deleteOneTimeLink', { params: { id: second.id } })
  await takeBack(other)
  await life.ask(pavel, 'listOneTimeLinks')
  await takeBack(pavel)
  await open(second.url)
}
