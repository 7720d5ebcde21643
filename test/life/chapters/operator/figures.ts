import type { World } from '../../world.ts'

/** What has come of all this: orders one by one, the books, and figures. */

const orders = async ({ life, boris, support, finance }: World): Promise<void> => {
  const look = (query: object) => life.ask(support, 'listOrders', { query: { ...query } })
  const { data } = await look({ limit: 3 })
  await look({ limit: 1, before: data[2].id })
  await look({ user_id: boris.id, state: 'refunded', limit: 2 })
  await look({ product_type: 'balance', limit: 2 })
  await look({ state: 'stolen' })
  const { data: inside } = await look({ user_id: boris.id, product_type: 'configs', limit: 1 })
  await life.ask(support, 'showOrder', { params: { id: inside[0].id } })
  await life.ask(support, 'showOrder', { params: { id: 999_999_999 } })
  await life.ask(finance, 'listTransfers', { query: { account: 'revenue', limit: 2 } })
  await life.ask(finance, 'listTransfers', { query: { account: 'nowhere' } })
  await life.ask(finance, 'listTransfers', { query: { cause: 'withdrawal:', limit: 2 } })
  await life.ask(support, 'listTransfers')
}

const figures = async ({ life, support, finance }: World): Promise<void> => {
  await life.jobs()
  await life.ask(finance, 'checkLedger')
  await life.ask(support, 'showOverview')
  await life.ask(finance, 'showSales', { query: { step: 'month' } })
  await life.ask(finance, 'showSales', { query: { step: 'month', by: 'method' } })
  await life.ask(finance, 'showSales', { query: { by: 'weather' } })
  await life.ask(finance, 'showSales', { query: { from: 0 } })
  await life.ask(support, 'showSales')
  await life.ask(support, 'showCustomerFigures', { query: { step: 'month' } })
  await life.ask(support, 'showTrafficFigures', { query: { step: 'month' } })
  await life.ask(support, 'showFleetFigures', { query: { step: 'month' } })
}

export const operatorFigures = async (world: World): Promise<void> => {
  await orders(world)
  await figures(world)
}
