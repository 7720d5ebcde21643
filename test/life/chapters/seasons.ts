import { usualOrder } from '../../support/service.ts'
import type { Person } from '../people.ts'
import { nodeOf, type World } from '../world.ts'

/** A month and a half goes by: reminders, renewals by themselves, ends, and coming back. */

const day = 86_400

interface Company {
  /** Renews by itself and can pay. */
  readonly vera: Person
  /** Renews by itself and cannot. */
  readonly pavel: Person
  /** Renews by hand, late. */
  readonly nina: Person
  /** Never renews. */
  readonly leo: Person
}

const company = async ({ life, configs }: World): Promise<Company> => {
  const people = {
    vera: await life.newcomer('vera', { balance: 600 }),
    pavel: await life.newcomer('pavel', { balance: 200 }),
    nina: await life.newcomer('nina', { balance: 1000 }),
    leo: await life.newcomer('leo', { balance: 200 }),
  }
  const order = async (who: Person, more: object = {}) => {
    const { data } = await life.ask(who, 'buyConfig', { body: { ...usualOrder, location_id: 2, ...more } })
    configs.set(who.name, data.id)
  }
  await order(people.vera, { enable_auto_renewal: true })
  await order(people.pavel, { enable_auto_renewal: true, protocol: 'trojan' })
  await order(people.nina, { use_extended_settings: true })
  await order(people.leo, { protocol: 'amnezia-wg-2' })
  const params = { config_id: configs.get('nina') }
  await life.ask(people.nina, 'createSubconfig', { params, body: { protocol: 'socks5' } })
  await life.ask(people.nina, 'changeConfigTitle', { params, body: { title: 'Home' } })
  const hours = { notification_start_hour: 10, notification_end_hour: 12, timezone_offset: 60 }
  await life.ask(people.nina, 'changeNotificationSettings', { body: hours })
  await life.ask(people.leo, 'changeNotificationSettings', { body: { renewal_reminders: false } })
  return people
}

const read = async ({ life }: World, people: Company): Promise<void> => {
  for (const person of [people.vera, people.pavel, people.leo]) await life.ask(person, 'takeNotifications')
  await life.ask(people.nina, 'takeNotifications', { headers: { 'accept-language': 'en' } })
}

const lastDays = async (world: World, people: Company): Promise<void> => {
  const { life, finance } = world
  await life.wait(27 * day + 60)
  await read(world, people)
  await life.wait(day)
  await read(world, people)
  await life.wait(day)
  await read(world, people)
  await life.ask(people.vera, 'listConfigs')
  await life.ask(people.vera, 'getProfile')
  await life.ask(people.vera, 'listPayments')
  const gift = { account: 'wallet', amount: 100, reason: 'gift' }
  await life.ask(finance, 'adjustBalance', { params: { id: people.pavel.id }, body: gift })
  await life.wait(6 * 3600)
  await life.ask(people.pavel, 'listConfigs')
  for (const person of [people.nina, people.leo]) await life.subscription(person)
}

/** All but Vera's have ended. */
const ends = async (world: World, people: Company): Promise<void> => {
  const { life, configs, anna } = world
  const { nina, leo, pavel } = people
  await life.state(nodeOf(world, 'north'))
  await life.wait(day)
  await life.changes(nodeOf(world, 'north'))
  for (const person of [nina, leo, pavel]) await life.ask(person, 'listConfigs')
  for (const person of [nina, people.vera]) await life.subscription(person)
  await life.subscription(nina, { 'accept-language': 'en' })
  const params = { config_id: configs.get('nina') }
  await life.ask(nina, 'changeConfigSettings', { params, body: { location_id: 1, protocol: 'vless' } })
  await life.ask(nina, 'changeXrayConfig', { params, body: { xray_config: '{}' } })
  await life.wait(4)
  await life.ask(nina, 'resetXrayConfig', { params })
  await life.ask(nina, 'changeSubconfig', { params, body: { protocol: 'http' } })
  await life.ask(nina, 'showSubconfig', { params })
  await life.ask(nina, 'changeConfigTitle', { params, body: { title: 'Ended' } })
  await life.ask(nina, 'switchAutoRenewal', { params, body: { enabled: true, days: 30 } })
  await life.ask(nina, 'showServerStats', { params })
  await life.ask(leo, 'changeAwgConfig', { params: { config_id: configs.get('leo') }, body: { jc: 90 } })
  await life.ask(nina, 'makeBridge', {
    body: { first_config_id: configs.get('nina'), second_config_id: configs.get('nina') },
  })
  await life.ask(anna, 'takeNotifications')
}

const comingBack = async (world: World, people: Company): Promise<void> => {
  const { life, configs } = world
  const { nina, leo, pavel } = people
  const renew = (who: Person) =>
    life.ask(who, 'renewConfig', {
      params: { config_id: configs.get(who.name) },
      body: { payment_method_id: 1 },
    })
  await life.wait(5 * day)
  await renew(pavel)
  await renew(nina)
  await life.changes(nodeOf(world, 'north'))
  await life.ask(nina, 'listConfigs')
  await life.ask(nina, 'showSubconfig', { params: { config_id: configs.get('nina') } })
  await life.subscription(nina)
  await life.wait(9 * day)
  await life.jobs()
  await renew(leo)
  await life.ask(leo, 'listConfigs')
  await life.subscription(leo)
  await life.ask(leo, 'showServerStats', { params: { config_id: configs.get('leo') } })
  await life.ask(leo, 'takeNotifications')
  await life.state(nodeOf(world, 'north'))
  await life.state(nodeOf(world, 'south'))
}

/** What is left of all that Anna and Boris bought. */
const leftovers = async ({ life, anna, boris }: World): Promise<void> => {
  await life.ask(anna, 'listConfigs')
  await life.ask(anna, 'listBridges')
  await life.subscription(anna)
  await life.ask(boris, 'listConfigs')
  await life.ask(boris, 'takeNotifications')
  await life.ask(anna, 'listConfigTariffs', { headers: { 'accept-language': 'en' } })
  await life.ask(life.operator, 'listRates')
  await life.ask(life.operator, 'listNodes')
}

export const seasons = async (world: World): Promise<void> => {
  const people = await company(world)
  await lastDays(world, people)
  await ends(world, people)
  await comingBack(world, people)
  await leftovers(world)
}
