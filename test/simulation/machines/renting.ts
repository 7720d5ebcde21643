import { chooseAmong, type ShownMethod, submit } from '../buying.ts'
import { asCustomer, type Customer } from '../customer.ts'
import type { Dice } from '../dice.ts'
import type { World } from '../world.ts'
import { rentedAt } from './park.ts'

/** Customers who rent machines, keep them and use them. */

interface ShownConfiguration {
  readonly id: number
  readonly payment_methods: readonly ShownMethod[]
}

interface ShownServer {
  readonly id: number
  readonly tariff_config_id: number
  readonly location_id: number
  readonly status: string
  readonly expires_at: number
}

const path = '/cloud-servers'
const graceSeconds = 3 * 86_400
/** Mostly where they are rented, and now and then where the operator's node takes them. */
const locations = [rentedAt, rentedAt, rentedAt, rentedAt, 2]
const noServer = 22

/** What can still be renewed; past that it is listed until the next round of jobs. */
const listOwn = async (world: World, customer: Customer): Promise<readonly ShownServer[]> => {
  const { data } = await asCustomer(world, customer, 'GET', path)
  return (data as ShownServer[]).filter(({ expires_at }) => expires_at + graceSeconds > world.now())
}

const listConfigurations = async (
  world: World,
  customer: Customer,
): Promise<readonly ShownConfiguration[]> => {
  const { data } = await asCustomer(world, customer, 'GET', `${path}/tariffs`)
  return data as ShownConfiguration[]
}

export const orderMachine = async (world: World, customer: Customer, dice: Dice): Promise<void> => {
  const chosen = dice.pick(await listConfigurations(world, customer))
  const { body, wish } = chooseAmong(world, dice, chosen.payment_methods, 'machine')
  const what = { location_id: dice.pick(locations), tariff_config_id: chosen.id }
  const order = { ...what, ...body, enable_auto_renewal: dice.chance(0.4) }
  const reply = await submit(world, customer, dice, path, order, { ...wish, optionId: chosen.id })
  if (reply.errorCode === 0) world.tally.add('machines ordered')
}

export const renewMachine = async (world: World, customer: Customer, dice: Dice): Promise<void> => {
  const own = dice.pickOr(await listOwn(world, customer))
  if (!own) return orderMachine(world, customer, dice)
  const all = await listConfigurations(world, customer)
  const { payment_methods } = all.find(({ id }) => id === own.tariff_config_id) as ShownConfiguration
  const { body, wish } = chooseAmong(world, dice, payment_methods, 'machine renewal')
  const { payment_method_id } = body
  const renewal = { server_id: own.id, payment_method_id, days: wish.days }
  await submit(world, customer, dice, `${path}/renewal`, renewal, { ...wish, optionId: own.tariff_config_id })
}

/** One that the operator gave; it may be used or revoked by now. */
export const useMachineCode = async (world: World, customer: Customer, dice: Dice): Promise<void> => {
  const chosen = dice.pickOr([...world.journal.machineCodes].slice(-20))
  if (!chosen) return orderMachine(world, customer, dice)
  const [code, days] = chosen
  const optionId = dice.int(1, 2)
  const body = { location_id: dice.pick(locations), tariff_config_id: optionId, promocode: code }
  const reply = await submit(world, customer, dice, path, body, {
    kind: 'machine',
    means: 'promocode',
    currency: 'RUB',
    quote: new Map([[days, 0]]),
    days,
    optionId,
    worthOf: () => 0,
  })
  world.tally.add(reply.errorCode === 0 ? 'promocodes used' : 'promocodes refused')
}

const orderOf = async ({ service }: World, id: number): Promise<number> => {
  const rows = service.db.selectFrom('machines').select('order_id').where('id', '=', id)
  return (await rows.executeTakeFirstOrThrow()).order_id
}

const uses = {
  configuration: ['configs', { protocol: 'vless' }],
  'mtproto configuration': ['configs', { protocol: 'mtproto' }],
  proxy: ['proxies', { protocol: 'socks5' }],
  restart: ['reboot', undefined],
} as const

/** Not on the operator's node, which applies nothing here and so would be waited for when the machine ends. */
export const useMachine = async (world: World, customer: Customer, dice: Dice): Promise<void> => {
  const rented = (await listOwn(world, customer)).filter(({ location_id }) => location_id === rentedAt)
  const own = dice.pickOr(rented)
  if (!own) return orderMachine(world, customer, dice)
  const use = dice.pick(Object.keys(uses) as (keyof typeof uses)[])
  const [what, body] = uses[use]
  await world.machines?.speakOf(await orderOf(world, own.id))
  const reply = await asCustomer(world, customer, 'POST', `${path}/${own.id}/${what}`, body && { body })
  const isReady = own.status === 'active' && own.expires_at > world.now()
  if (reply.errorCode === 0) world.tally.add(`machines ${use}s`)
  if (isReady ? ![0, noServer].includes(reply.errorCode) : reply.errorCode !== 3) {
    world.blame(`a ${use} on a machine that is ${own.status}`, reply.message)
  }
}
