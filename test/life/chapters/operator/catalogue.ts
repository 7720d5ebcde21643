import { nobody } from '../../people.ts'
import type { World } from '../../world.ts'

/** What an operator sells, where, and how it is paid. */

const places = async ({ life, support }: World): Promise<void> => {
  await life.ask(support, 'listAllLocations')
  await life.ask(nobody, 'listAllLocations')
  const sweden = { code: 'SE', title_ru: 'Швеция', title_en: 'Sweden' }
  const { data } = await life.ask(life.operator, 'createLocation', {
    body: { ...sweden, ping_ip: '203.0.113.20' },
  })
  await life.ask(life.operator, 'createLocation', { body: { ...sweden, id: 1 } })
  await life.ask(life.operator, 'createLocation', { body: { ...sweden, home_networks: ['everywhere'] } })
  await life.ask(support, 'createLocation', { body: sweden })
  const change = (body: object) =>
    life.ask(life.operator, 'changeLocation', { params: { id: data.id }, body })
  await change({ title_en: 'The North', version: data.version })
  await change({ title_en: 'The South', version: data.version })
  await change({ is_active: false, caption_ru: 'Скоро' })
  await life.ask(life.operator, 'deleteLocation', { params: { id: 1 } })
  await life.ask(life.operator, 'deleteLocation', { params: { id: data.id } })
  await life.ask(life.operator, 'deleteLocation', { params: { id: data.id } })
}

const methods = async ({ life, finance, support }: World): Promise<void> => {
  const invoice = {
    key: 'invoice',
    name_ru: 'По счёту',
    name_en: 'By invoice',
    currency: 'RUB',
    min_amount: 100,
  }
  await life.ask(finance, 'createPaymentMethod', { body: invoice })
  await life.ask(finance, 'createPaymentMethod', { body: invoice })
  await life.ask(finance, 'createPaymentMethod', { body: { ...invoice, key: 'cash', provider: 'nobody' } })
  await life.ask(support, 'createPaymentMethod', { body: invoice })
  await life.ask(life.operator, 'setUp')
}

const prices = async ({ life, anna, finance, support }: World): Promise<void> => {
  const { data } = await life.ask(support, 'showConfigTariffs')
  const sent = data.map(({ days, prices: each }: { days: number; prices: object[] }) => ({
    days,
    prices: each,
  }))
  const put = (tariffs: object[], version?: number) =>
    life.ask(finance, 'changeConfigTariffs', {
      body: { tariffs, ...(version !== undefined && { version }) },
    })
  await put([...sent, { days: 7, prices: [{ payment_method_id: 1, price: 60 }] }], data[0].version)
  await put(sent, data[0].version)
  await put([{ days: 7, prices: [{ payment_method_id: 1, price: 0 }] }])
  await put(sent)
  await life.ask(support, 'listUserPrices', { query: { user_id: anna.id } })
  await life.ask(support, 'listUserPrices', { query: { user_id: 999_999_999 } })
}

export const catalogue = async (world: World): Promise<void> => {
  await places(world)
  await methods(world)
  await prices(world)
}
