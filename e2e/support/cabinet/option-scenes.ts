import { enrolNode } from '../../../test/support/node.ts'
import { longName, type Scene, type Stage } from './stage.ts'

/** Options that carry nothing. */

/** Its traffic is used up. */
export const limitedOption = async (stage: Stage): Promise<Scene> => {
  const node = await enrolNode(stage.service, 1, { protocols: ['vless'], capacity: 50 })
  await node.report()
  const words = Object.fromEntries(
    ['caption', 'description'].flatMap((one) => [`${one}_ru`, `${one}_en`].map((name) => [name, 'Слова'])),
  )
  const option = await stage.operate('POST', '/paid-options', {
    ...words,
    key: 'metered',
    title_ru: longName,
    title_en: longName,
    protocol: 'vless',
    traffic_limit: 1000,
    most_traffic: 5000,
    device_limit: 2,
    most_devices: 4,
    server_ids: [node.serverId],
    tariffs: [{ days: 90, prices: [{ payment_method_id: 1, price: 100 }] }],
  })
  const user = await stage.service.createUser({ balance: 1000 })
  const bought = await stage.do(user, 'POST', '/paid-options', {
    paid_option_id: option.id,
    payment_method_id: 1,
    tariff_id: option.tariffs[0].id,
  })
  const [config] = bought.configs
  await node.report({ traffic: [{ boot_id: 'one', id: `a${config.id}`, up: 1050, down: 0 }] })
  await stage.service.running.runJobs()
  const { status } = await stage.do(user, 'GET', `/paid-options/${option.id}/subscription`)
  if (status !== 'limited') throw new Error(`The option is ${status}`)
  return {
    user,
    pages: [
      ['home', '/'],
      ['option', `/options/${option.id}`],
      ['option-config', `/options/${option.id}/configs/${config.id}`],
      ['shop', '/shop'],
      ['shop-option', `/shop/option/${option.id}`],
    ],
  }
}

/** Switched off by the operator. */
export const disabledOption = async (stage: Stage): Promise<Scene> => {
  const user = await stage.service.createUser({ balance: 5000 })
  await stage.do(user, 'POST', '/paid-options', { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 })
  await stage.operate('PATCH', `/users/${user.id}/paid-options/1`, { is_disabled: true, reason: 'asked' })
  return {
    user,
    pages: [
      ['home', '/'],
      ['option', '/options/1'],
    ],
  }
}
