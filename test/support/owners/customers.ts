import { PasskeyPage } from '../people/passkeys.ts'
import type { TestService, TestUser } from '../service.ts'
import { phone } from '../subscription.ts'
import type { MakeOwner, OptionId } from './owner.ts'

const lookAt = (service: TestService, token: string, paths: readonly string[]) => () =>
  Promise.all(paths.map(async (path) => (await service.call('GET', `/v1${path}`, { token })).body))

export const rich = { balance: 2000, referral_balance: 5000 }

export const configs: MakeOwner = async (service) => {
  await service.heartbeat()
  const owner = await service.createUser(rich)
  const first = await service.buy(owner, { use_extended_settings: true })
  const second = await service.buy(owner)
  await service.customer(owner, 'POST', `/configs/${second.id}/subconfig`, { protocol: 'http' })
  const ends = { first_config_id: second.id, second_config_id: first.id }
  await service.customer(owner, 'POST', '/configs/makeBridge', ends)
  const { body } = await service.customer(owner, 'GET', '/configs/bridges')
  const token = owner.session_token
  return {
    token,
    ids: { config_id: second.id, bridge_id: body.data[0].id },
    look: lookAt(service, token, [
      '/configs',
      '/configs/bridges',
      `/configs/${second.id}/subconfig`,
      '/profile',
    ]),
  }
}

export const buyOption = (service: TestService, owner: TestUser, id: OptionId) => {
  const order = { paid_option_id: id, payment_method_id: 1, tariff_id: 10 * id + 1 }
  return service.customer(owner, 'POST', '/paid-options', order)
}

/** An option with a device, a configuration of the customer's own, and a proxy beside that. */
export const paidOptions: MakeOwner = async (service, id = 1) => {
  await service.heartbeat()
  const owner = await service.createUser(rich)
  await buyOption(service, owner, id)
  const path = `/paid-options/${id}`
  const wish = { protocol: 'vless', use_extended_settings: true }
  const added = await service.customer(owner, 'POST', `${path}/configs`, wish)
  const configId = added.body.data.id
  await service.customer(owner, 'POST', `${path}/configs/${configId}/subconfig`, { protocol: 'http' })
  const hwid = crypto.randomUUID()
  await service.call('GET', `/sub/${owner.subscription_key}`, { headers: { ...phone, 'x-hwid': hwid } })
  const token = owner.session_token
  const looked = ['devices', 'subscription', `configs/${configId}/subconfig`].map((part) => `${path}/${part}`)
  return {
    token,
    ids: { id, configId, index: 0, device_id: hwid },
    look: lookAt(service, token, ['/paid-options', ...looked]),
  }
}

/** A machine with a configuration and a proxy on it. */
export const cloudServers: MakeOwner = async (service) => {
  await service.heartbeat()
  const owner = await service.createUser(rich)
  const order = { location_id: 1, payment_method_id: 1, tariff_id: 31 }
  const { id } = (await service.customer(owner, 'POST', '/cloud-servers', order)).body.data
  await service.running.runJobs()
  const path = `/cloud-servers/${id}`
  const wish = { protocol: 'vless', use_extended_settings: true }
  const config = await service.customer(owner, 'POST', `${path}/configs`, wish)
  const proxy = await service.customer(owner, 'POST', `${path}/proxies`, { protocol: 'http' })
  const token = owner.session_token
  const [configId, proxyId] = [config.body.data.id, proxy.body.data.id]
  return {
    token,
    ids: {
      'cloud-servers/:id': id,
      server_id: id,
      'configs/:id': configId,
      config_id: configId,
      proxy_id: proxyId,
    },
    look: lookAt(service, token, ['/cloud-servers', `${path}/configs`, `${path}/proxies`, '/profile']),
  }
}

/** One of an option, which a device has fetched. */
export const customSubscriptions: MakeOwner = async (service) => {
  await service.heartbeat()
  const owner = await service.createUser(rich)
  const order = { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 }
  await service.customer(owner, 'POST', '/paid-options', order)
  const items = [{ item_type: 'paid_option', item_reference_id: 1 }]
  const path = '/profile/custom-subscriptions'
  const { body } = await service.customer(owner, 'POST', path, { title: 'Family', items })
  const { id, subscription_key: key } = body.data
  await service.call('GET', `/sub/${key}`, { headers: phone })
  const fetched = await service.customer(owner, 'GET', `${path}/${id}/devices`)
  const token = owner.session_token
  const looked = ['', '/devices', '/devices/settings', '/xray-template', '/xray-template/settings']
  return {
    token,
    ids: { 'custom-subscriptions/:id': id, deviceId: fetched.body.data.devices[0].id },
    look: lookAt(service, token, [path, ...looked.map((part) => `${path}/${id}${part}`)]),
  }
}

export const devices: MakeOwner = async (service) => {
  const owner = await service.createUser()
  await service.call('GET', `/sub/${owner.subscription_key}`, { headers: phone })
  const { body } = await service.customer(owner, 'GET', '/profile/devices')
  const token = owner.session_token
  return {
    token,
    ids: { id: body.data.devices[0].id },
    look: lookAt(service, token, ['/profile/devices']),
  }
}

/** With a link that waits to be opened. */
export const delivery: MakeOwner = async (service) => {
  await service.heartbeat()
  const owner = await service.createUser(rich)
  const { id: config_id } = await service.buy(owner)
  const { body } = await service.customer(owner, 'POST', '/one-time-links', { config_id })
  const token = owner.session_token
  return { token, ids: { id: body.data.id }, look: lookAt(service, token, ['/one-time-links']) }
}

export const profile: MakeOwner = async (service) => {
  await service.heartbeat()
  const owner = await service.createUser(rich)
  await service.buy(owner)
  const token = owner.session_token
  const path = '/profile/payments-history'
  const { body } = await service.customer(owner, 'GET', path)
  const { id } = body.data[0]
  return { token, ids: { id }, look: lookAt(service, token, [path, `/profile/payments/${id}`]) }
}

const linkTelegram = async ({ db, clock }: TestService, { id }: TestUser): Promise<number> => {
  const identity = { user_id: id, provider: 'telegram', subject: String(id), created_at: clock.now() }
  const insert = db.insertInto('identities').values(identity).returning('id')
  return (await insert.executeTakeFirstOrThrow()).id
}

export const session: MakeOwner = async (service) => {
  const owner = await service.createUser({ email: `owner-${crypto.randomUUID()}@example.com` })
  const token = owner.session_token
  const key = await service.call('POST', '/v1/profile/api-keys', { token, body: {} })
  const passkey = await new PasskeyPage(service).register(owner)
  await service.operator('POST', `/users/${owner.id}/sessions`)
  const sessions = (await service.call('GET', '/v1/profile/sessions', { token })).body.data
  return {
    token,
    ids: {
      'api-keys/:id': key.body.data.id,
      'sessions/:id': sessions[1].id,
      'passkeys/:id': passkey.body.data.id,
      'identities/:id': await linkTelegram(service, owner),
    },
    look: lookAt(
      service,
      token,
      ['api-keys', 'sessions', 'passkeys', 'identities'].map((what) => `/profile/${what}`),
    ),
  }
}
