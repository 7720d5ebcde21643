import type { TableName } from '@sallyport/contract/tables'
import { sql } from 'kysely'
import { createOperator } from '../../apps/server/core/accounts/operators.ts'
import { insertTrial } from '../../apps/server/core/fleet/trials.ts'
import { raiseAlert } from '../../apps/server/core/kernel/alerts.ts'
import { orderMachine, sellByHand } from './machines.ts'
import { enrolNode, signNodeToken } from './node.ts'
import { PasskeyPage } from './people/passkeys.ts'
import type { TestService, TestUser } from './service.ts'
import { phone } from './subscription.ts'

/** For every table whose paths name things: somebody who owns one of each, made anew at every call. */

export interface Owner {
  readonly token: string
  /** By the parameter's name, or by the part of the path before it too: `passkeys/:id`. */
  readonly ids: Readonly<Record<string, number | string>>
  /** What strangers must leave as it is. */
  readonly look?: () => Promise<unknown>
}

/** Everybody may have any paid option: two owners who must have nothing of each other's have different ones. */
export type OptionId = 1 | 2

type MakeOwner = (service: TestService, optionId?: OptionId) => Promise<Owner>

const lookAt = (service: TestService, token: string, paths: readonly string[]) => () =>
  Promise.all(paths.map(async (path) => (await service.call('GET', `/v1${path}`, { token })).body))

const rich = { balance: 2000, referral_balance: 5000 }

const firstOf = async (service: TestService, path: string): Promise<number> => {
  const { body } = await service.operator('GET', path)
  return body.data[0].id
}

const configs: MakeOwner = async (service) => {
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

const buyOption = (service: TestService, owner: TestUser, id: OptionId) => {
  const order = { paid_option_id: id, payment_method_id: 1, tariff_id: 10 * id + 1 }
  return service.customer(owner, 'POST', '/paid-options', order)
}

/** An option with a device, a configuration of the customer's own, and a proxy beside that. */
const paidOptions: MakeOwner = async (service, id = 1) => {
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
const cloudServers: MakeOwner = async (service) => {
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
const customSubscriptions: MakeOwner = async (service) => {
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

const devices: MakeOwner = async (service) => {
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

const linkTelegram = async ({ db, clock }: TestService, { id }: TestUser): Promise<number> => {
  const identity = { user_id: id, provider: 'telegram', subject: String(id), created_at: clock.now() }
  const insert = db.insertInto('identities').values(identity).returning('id')
  return (await insert.executeTakeFirstOrThrow()).id
}

const session: MakeOwner = async (service) => {
  const owner = await service.createUser({ email: `owner-${crypto.randomUUID()}@example.com` })
  const token = owner.session_token
  const key = await service.call('POST', '/v1/profile/api-keys', { token, body: {} })
  const passkey = await new PasskeyPage(service).register(owner)
  return {
    token,
    ids: {
      'api-keys/:id': key.body.data.id,
      'passkeys/:id': passkey.body.data.id,
      'identities/:id': await linkTelegram(service, owner),
    },
    look: lookAt(service, token, ['/profile/api-keys', '/profile/passkeys', '/profile/identities']),
  }
}

/** With an operator who has a token, and a node on which nobody has anything. */
const operator: MakeOwner = async (service) => {
  const name = crypto.randomUUID()
  await createOperator(service.db, { name, role: 'support', now: service.clock.now() })
  const { id: operatorId } = await service.db
    .selectFrom('operators')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return {
    token: service.operatorToken,
    ids: {
      'users/:id': (await service.createUser()).id,
      'nodes/:id': (await enrolNode(service, 1)).nodeId,
      'operators/:id': operatorId,
      token_id: await firstOf(service, `/operators/${operatorId}/tokens`),
    },
  }
}

/** Money from outside for the order of a customer. */
const insertReceipt = async ({ db, clock }: TestService, orderId: number): Promise<number> => {
  const [name, now] = [crypto.randomUUID(), clock.now()]
  const { rows } = await sql<{ id: number }>`
    with asked as (
      insert into payments (public_id, order_id, provider, method_key, amount, currency, state, created_at, expires_at)
      values (${name}, ${orderId}, 'sandbox', 'sbp', 100, 'RUB', 'succeeded', ${now}, ${now}) returning id, order_id
    )
    insert into receipts (payment_id, order_id, provider, receipt_id, amount, currency, value_rub, verdict, created_at)
    select id, order_id, 'sandbox', ${name}, 100, 'RUB', 100, 'accepted', ${now} from asked
    returning id`.execute(db)
  return (rows[0] as { id: number }).id
}

const operatorMoney: MakeOwner = async (service) => {
  await service.heartbeat()
  const customer = await service.createUser(rich)
  await service.buy(customer)
  const payment = await firstOf(service, `/payments?user_id=${customer.id}`)
  const card = { amount: 1000, card_number: '4111111111111111' }
  await service.customer(customer, 'POST', '/profile/referral/withdraw/card', card)
  await service.operator('POST', '/promocodes', { product_type: 'configs', days: 30, count: 1 })
  return {
    token: service.operatorToken,
    ids: {
      'payments/:id': payment,
      'receipts/:id': await insertReceipt(service, payment),
      'withdrawals/:id': await firstOf(service, '/withdrawals'),
      'promocodes/:id': await firstOf(service, '/promocodes'),
    },
  }
}

const operatorSettings: MakeOwner = async (service) => {
  const { db, clock } = service
  const { id } = await service.createUser()
  const rule = await service.operator('POST', `/users/${id}/pricing-rules`, { type: 'all', percent: -5 })
  await raiseAlert(db, { kind: 'grant_failed', subject: `order:${id}`, details: {}, now: clock.now() })
  return {
    token: service.operatorToken,
    ids: {
      'users/:id': id,
      rule_id: rule.body.data.id,
      'payment-methods/:id': await firstOf(service, '/payment-methods'),
      'alerts/:id': await firstOf(service, '/alerts'),
    },
  }
}

const operatorPaidOptions: MakeOwner = async (service, id = 1) => {
  await service.heartbeat()
  const user = await service.createUser(rich)
  await buyOption(service, user, id)
  return {
    token: service.operatorToken,
    ids: { 'users/:id': user.id, 'paid-options/:id': id, 'paid-options/:option_id': id },
  }
}

/** A cloud server that waits for a person to find its machine. */
const operatorClouds: MakeOwner = async (service) => {
  await service.heartbeat()
  const { cloudId, order } = await sellByHand(service)
  const { id } = await orderMachine(service, order)
  return {
    token: service.operatorToken,
    ids: {
      'clouds/:id': cloudId,
      'cloud-configurations/:id': order.tariff_config_id,
      'cloud-servers/:id': id,
    },
  }
}

const agent: MakeOwner = async (service) => {
  const { db, vault, bus } = service.running.services
  const { nodeId, privateKey } = await enrolNode(service, 1)
  const trial = await insertTrial(db, { vault, bus, now: service.clock.now() }, nodeId, '{}')
  return { token: await signNodeToken(nodeId, privateKey), ids: { 'trials/:id': trial } }
}

export const owners: Readonly<Partial<Record<TableName, MakeOwner>>> = {
  configs,
  'cloud-servers': cloudServers,
  'paid-options': paidOptions,
  'custom-subscriptions': customSubscriptions,
  devices,
  session,
  operator,
  'operator-money': operatorMoney,
  'operator-settings': operatorSettings,
  'operator-paid-options': operatorPaidOptions,
  'operator-clouds': operatorClouds,
  agent,
}
