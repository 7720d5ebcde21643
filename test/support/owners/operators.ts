import { sql } from 'kysely'
import { insertBroadcast } from '../../../apps/server/core/broadcasts/broadcasts.ts'
import { raiseAlert } from '../../../apps/server/core/kernel/alerts.ts'
import { insertOperatorWithToken } from '../../../apps/server/core/operators/operators.ts'
import { orderMachine, sellByHand } from '../machines.ts'
import { enrolNode } from '../node.ts'
import { ConsolePerson } from '../people/console.ts'
import type { TestService } from '../service.ts'
import { buyOption, rich } from './customers.ts'
import type { MakeOwner } from './owner.ts'

const firstOf = async (service: TestService, path: string): Promise<number> => {
  const { body } = await service.operator('GET', path)
  return body.data[0].id
}

export const operatorPeople: MakeOwner = async (service) => {
  await service.heartbeat()
  const user = await service.createUser(rich)
  const { id } = user
  const rule = await service.operator('POST', `/users/${id}/pricing-rules`, { type: 'all', percent: -5 })
  await service.buy(user)
  const term = await service.db
    .selectFrom('terms')
    .select('id')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  const { id: operatorId } = await service.db.selectFrom('operators').select('id').executeTakeFirstOrThrow()
  const now = service.clock.now()
  const broadcast = await insertBroadcast(service.db, service.running.services.vault, {
    audience: { view: 'everyone' },
    contentRu: 'Скоро обновление',
    contentEn: 'An update is near',
    sendAt: now + 86_400,
    total: 1,
    operatorId,
    now,
  })
  return {
    token: service.operatorToken,
    ids: {
      'users/:id': id,
      rule_id: rule.body.data.id,
      'terms/:id': term.id,
      'broadcasts/:id': broadcast.id,
    },
  }
}

/** A location in which nobody has anything. */
export const operatorCatalogue: MakeOwner = async (service) => {
  const place = { code: 'SE', title_ru: 'Швеция', title_en: 'Sweden' }
  const { body } = await service.operator('POST', '/locations', place)
  return {
    token: service.operatorToken,
    ids: {
      'locations/:id': body.data.id,
      'payment-methods/:id': await firstOf(service, '/payment-methods'),
    },
  }
}

/** A node on which nobody has anything, and a customer who has something elsewhere. */
export const operatorFleet: MakeOwner = async (service) => {
  const { nodeId, serverId } = await enrolNode(service, 1)
  await service.heartbeat()
  const { id } = await service.buy(await service.createUser(rich), { server_id: 1 })
  const { term_id: termId } = await service.db
    .selectFrom('accesses')
    .select('term_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  // One at a time.
  await service.db.updateTable('agent_upgrades').set({ state: 'done' }).execute()
  const { body } = await service.operator('POST', '/agent-upgrades', { waves: [[nodeId]] })
  const ids = {
    'nodes/:id': nodeId,
    'servers/:id': serverId,
    'terms/:id': termId,
    'agent-upgrades/:id': body.data.id,
  }
  return { token: service.operatorToken, ids }
}

/** An operator who has a token and two passkeys, and is signed in at two browsers; and a view of whoever asks. */
export const operatorStaff: MakeOwner = async (service) => {
  const { db, clock } = service
  const { id, token: first } = await insertOperatorWithToken(db, {
    name: crypto.randomUUID(),
    role: 'support',
    now: clock.now(),
  })
  const person = new ConsolePerson(service)
  await person.openLink((await service.operator('POST', `/operators/${id}/sign-in-link`)).body.data)
  const passkeys = [await person.register(), await person.register()]
  const elsewhere = new ConsolePerson(service)
  await elsewhere.openLink((await service.operator('POST', `/operators/${id}/sign-in-link`)).body.data)
  const sessions = (await person.call('GET', '/auth/sessions')).body.data
  const { id: tokenId } = await db
    .selectFrom('operator_tokens')
    .select('id')
    .where('prefix', '=', first.split('_')[1] as string)
    .executeTakeFirstOrThrow()
  const view = await service.operator('POST', '/saved-views', {
    page: '/console/customers',
    title: crypto.randomUUID(),
    query: 'view=ending',
  })
  return {
    token: service.operatorToken,
    headers: person.headers,
    ids: {
      'operators/:id': id,
      token_id: tokenId,
      'passkeys/:id': passkeys[0]?.body.data.id,
      'sessions/:id': sessions[1].id,
      'saved-views/:id': view.body.data.id,
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

export const operatorMoney: MakeOwner = async (service) => {
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

export const operatorFigures: MakeOwner = async (service) => {
  await service.heartbeat()
  const customer = await service.createUser(rich)
  await service.buy(customer)
  return {
    token: service.operatorToken,
    ids: { 'orders/:id': await firstOf(service, `/orders?user_id=${customer.id}`) },
  }
}

export const operatorSettings: MakeOwner = async (service) => {
  const { db, clock } = service
  const subject = `order:${crypto.randomUUID()}`
  await raiseAlert(db, { kind: 'grant_failed', subject, details: {}, now: clock.now() })
  return { token: service.operatorToken, ids: { 'alerts/:id': await firstOf(service, '/alerts') } }
}

export const operatorPaidOptions: MakeOwner = async (service, id = 1) => {
  await service.heartbeat()
  const user = await service.createUser(rich)
  await buyOption(service, user, id)
  return {
    token: service.operatorToken,
    ids: { 'users/:id': user.id, 'paid-options/:id': id, 'paid-options/:option_id': id },
  }
}

/** A cloud server that waits for a person to find its machine. */
export const operatorClouds: MakeOwner = async (service) => {
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

/** An endpoint whose address is refused when it is dialled, so that nobody outside is called. */
export const operatorWebhooks: MakeOwner = async (service) => {
  const body = { url: 'https://crm.example.com/', events: ['node.offline'] }
  // There may be few of them.
  await service.db.deleteFrom('webhooks').execute()
  const { id } = (await service.operator('POST', '/webhooks', body)).body.data
  await service.db.updateTable('webhooks').set({ url: 'https://127.0.0.1/' }).where('id', '=', id).execute()
  return { token: service.operatorToken, ids: { 'webhooks/:id': id } }
}
