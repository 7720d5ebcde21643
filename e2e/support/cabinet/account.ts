import type { TestService, TestUser } from '../../../test/support/service.ts'

/** A customer who has one of everything that the cabinet shows. */

export interface FullAccount {
  readonly user: TestUser
  readonly configId: number
  readonly awgConfigId: number
  readonly optionConfigId: number
  readonly cloudId: number
  readonly cloudConfigId: number
  readonly subscriptionId: number
  readonly paymentId: number
  readonly giftCode: string
  /** Of a link that nobody has opened. */
  readonly oneTimeUrl: string
}

const phone = {
  'user-agent': 'Happ/2.0/ios',
  'x-device-os': 'iOS',
  'x-ver-os': '18.2',
  'x-device-model': 'iPhone 15',
}

export const makeFullAccount = async (service: TestService): Promise<FullAccount> => {
  await service.heartbeat()
  const user = await service.createUser({
    email: 'anna@example.com',
    balance: 20_000,
    referral_balance: 6000,
  })
  const does = async (method: string, path: string, body?: unknown) => {
    const answer = await service.customer(user, method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  const config = await does('POST', '/configs', {
    location_id: 1,
    protocol: 'vless',
    payment_method_id: 1,
    tariff_id: 1,
    use_extended_settings: true,
    enable_auto_renewal: true,
  })
  await does('PATCH', `/configs/title/${config.id}`, { title: 'Ноутбук' })
  const awg = await service.buy(user, { protocol: 'amnezia-wg-2', location_id: 12 })
  await does('POST', `/configs/${awg.id}/subconfig`, { protocol: 'socks5' })
  await does('POST', '/paid-options', { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 })
  const added = await does('POST', '/paid-options/1/configs', {
    protocol: 'vless',
    use_extended_settings: true,
  })
  const cloud = await does('POST', '/cloud-servers', { location_id: 1, payment_method_id: 1, tariff_id: 31 })
  await service.running.runJobs()
  await service.heartbeat()
  const cloudConfig = await does('POST', `/cloud-servers/${cloud.id}/configs`, {
    protocol: 'vless',
    use_extended_settings: true,
  })
  await does('POST', `/cloud-servers/${cloud.id}/proxies`, { protocol: 'http' })
  const subscription = await does('POST', '/profile/custom-subscriptions', {
    title: 'Роутер',
    items: [
      { item_type: 'user_config', item_reference_id: config.id },
      { item_type: 'user_config', item_reference_id: awg.id },
      { item_type: 'paid_option', item_reference_id: 1 },
    ],
  })
  for (const hwid of ['phone-0123456789', 'tablet-0123456789']) {
    await service.call('GET', `/sub/${user.subscription_key}`, { headers: { ...phone, 'x-hwid': hwid } })
  }
  const gift = await does('POST', '/configs', { payment_method_id: 1, tariff_id: 1, as_key: true })
  const link = await does('POST', '/profile/balance/topup', { amount: 500, payment_method_id: 2 })
  await does('POST', '/profile/referral/withdraw/card', { amount: 1500, card_number: '4111111111111111' })
  await service.operator('POST', `/users/${user.id}/notifications`, { content: 'Добро пожаловать!' })
  await service.operator('POST', `/users/${user.id}/pricing-rules`, {
    type: 'configs',
    percent: -20,
    comment: 'Постоянным клиентам',
  })
  const oneTime = await does('POST', '/one-time-links', { config_id: config.id })
  return {
    user,
    configId: config.id,
    awgConfigId: awg.id,
    optionConfigId: added.id,
    cloudId: cloud.id,
    cloudConfigId: cloudConfig.id,
    subscriptionId: subscription.id,
    paymentId: link.payment_id,
    giftCode: gift.promocode,
    oneTimeUrl: oneTime.url,
  }
}

/** Every page, by an address that this account can open. */
export const pagesOf = (account: FullAccount): readonly (readonly [name: string, address: string])[] => [
  ['home', '/'],
  ['connect', '/connect'],
  ['connect-custom', `/connect?for=${account.subscriptionId}`],
  ['shop', '/shop'],
  ['shop-config', '/shop/config'],
  ['shop-option', '/shop/option/1'],
  ['shop-cloud', '/shop/cloud'],
  ['payment', `/payments/${account.paymentId}`],
  ['gift', `/gift#${account.giftCode}`],
  ['once', `/once${new URL(account.oneTimeUrl).hash}`],
  ['keys', '/keys'],
  ['config', `/configs/${account.configId}`],
  ['config-awg', `/configs/${account.awgConfigId}`],
  ['config-renew', `/configs/${account.configId}/renew`],
  ['option', '/options/1'],
  ['option-renew', '/options/1/renew'],
  ['option-config', `/options/1/configs/${account.optionConfigId}`],
  ['cloud', `/clouds/${account.cloudId}`],
  ['cloud-renew', `/clouds/${account.cloudId}/renew`],
  ['cloud-config', `/clouds/${account.cloudId}/configs/${account.cloudConfigId}`],
  ['subscriptions', '/subscriptions'],
  ['custom-subscription', `/subscriptions/${account.subscriptionId}`],
  ['devices', '/devices'],
  ['balance', '/balance'],
  ['friends', '/friends'],
  ['notifications', '/notifications'],
  ['settings', '/settings'],
  ['rules', '/rules'],
]

/** A customer whose first page is as full as an answer gets. */
export const makeFullPage = async (service: TestService): Promise<TestUser> => {
  await service.heartbeat()
  const user = await service.createUser({ balance: 1_000_000 })
  for (let n = 0; n < 20; n++) {
    // Links of AmneziaWG are ten times as long, and few have many of them.
    const isLong = n % 10 === 2
    await service.buy(user, {
      protocol: isLong ? 'amnezia-wg-2' : 'vless',
      location_id: isLong ? 12 : 1 + (n % 2),
    })
  }
  await service.heartbeat()
  return user
}
