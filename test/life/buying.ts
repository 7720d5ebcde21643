import { deliver } from '../support/providers/stand-in.ts'
import type { Person } from './people.ts'
import type { Told } from './recorder.ts'
import type { World } from './world.ts'

/** Money from outside, as it comes to the service. */

/** A button of the sandbox's page; what follows from it is done. */
export const press = async ({ life }: World, link: string, action: string): Promise<void> => {
  await life.raw('POST', new URL(link).pathname, { body: { action } })
  await life.jobs()
}

/** What the operator sees of the latest order of a customer. */
export const lastOrder = async ({ life }: World, person: Person): Promise<Told['data']> => {
  const { data } = await life.ask(life.operator, 'searchPayments', {
    query: { user_id: person.id, limit: 1 },
  })
  return data[0]
}

/** The latest order of a customer is paid at YooKassa, whatever amount. */
export const payAtYooKassa = async (world: World, person: Person, amount?: number): Promise<string> => {
  const { life, yookassa } = world
  const { data } = await life.send(life.operator, 'searchPayments', {
    query: { user_id: person.id, limit: 1 },
  })
  const id = data[0].provider_payment_id
  const webhook = yookassa.pay(id, amount === undefined ? {} : { amount })
  const { status } = await deliver(life.service.running.url, webhook)
  life.write({ told: 'yookassa', amount: amount ?? 'as asked', status })
  await life.jobs()
  return id
}
