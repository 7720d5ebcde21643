import { generateKeyPairSync } from 'node:crypto'
import { emptyReport, signNodeToken } from './node.ts'
import type { TestService, TestUser } from './service.ts'

/** Cloud servers whose machines a person finds. */

export interface CloudOrder {
  readonly location_id: number
  readonly tariff_config_id: number
  readonly payment_method_id: number
  readonly tariff_id: number
}

/** Something to order that only a person can give, and where it comes from. */
export const sellByHand = async (service: TestService): Promise<{ cloudId: number; order: CloudOrder }> => {
  const cloud = await service.operator('POST', '/clouds', { kind: 'manual', title: crypto.randomUUID() })
  const cloudId = cloud.body.data.id as number
  const made = await service.operator('POST', '/cloud-configurations', {
    title_ru: 'Мощь',
    title_en: 'Might',
    description_ru: 'Слова',
    description_en: 'Words',
    tariffs: [{ days: 30, prices: [{ payment_method_id: 1, price: 700 }] }],
    offers: [{ location_id: 1, cloud_id: cloudId, reality_server_name: 'www.example.com' }],
  })
  const { id, tariffs } = made.body.data
  const order = { location_id: 1, tariff_config_id: id, payment_method_id: 1, tariff_id: tariffs[0].id }
  return { cloudId, order }
}

/** The demo's: the node of the service takes it. */
export const localOrder: CloudOrder = {
  location_id: 1,
  tariff_config_id: 1,
  payment_method_id: 1,
  tariff_id: 31,
}

export const orderMachine = async (
  service: TestService,
  order: CloudOrder,
): Promise<{ user: TestUser; id: number }> => {
  const user = await service.createUser({ balance: 5000 })
  const { status, body } = await service.customer(user, 'POST', '/cloud-servers', order)
  if (status !== 201) throw new Error(`No cloud server: ${JSON.stringify(body)}`)
  return { user, id: body.data.id }
}

/** A machine on which the agent was started with this token. */
export const comeUp = async (service: TestService, token: string) => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { x } = privateKey.export({ format: 'jwk' })
  const { status, body } = await service.call('POST', '/agent/v1/enrol', { body: { token, public_key: x } })
  if (!body.status) return { status }
  const nodeId = body.data.node_id as number
  const bearer = await signNodeToken(nodeId, privateKey)
  await service.call('POST', '/agent/v1/report', { token: bearer, body: emptyReport })
  const poll = () => service.call('GET', '/agent/v1/state?since=0&wait_seconds=0', { token: bearer })
  return { status, nodeId, poll }
}
