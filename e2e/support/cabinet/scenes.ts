import { settleReceived } from '../../../apps/server/core/settlement/settlement.ts'
import { enrolNode } from '../../../test/support/node.ts'
import { RentedMachines } from '../../../test/support/rented-machines.ts'
import { type TestService, type TestUser, usualOrder } from '../../../test/support/service.ts'
import type { Pages } from './walk.ts'

/** Customers to whom something has happened, and the pages that tell them of it. */

export interface Scene {
  readonly user: TestUser
  readonly pages: Pages
}

const day = 86_400
const sbp = 2

/** The longest that anybody may call a thing of theirs, without a place to break it. */
const longName = 'Ж'.repeat(64)
const longHost = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`

export class Scenes {
  readonly #service: TestService
  readonly #hetznerToken: string

  constructor(service: TestService, hetznerToken: string) {
    this.#service = service
    this.#hetznerToken = hetznerToken
  }

  /** Time passes, nodes report, and everything that is due is done. */
  async #pass(seconds = 0): Promise<void> {
    this.#service.clock.advance(seconds)
    await this.#service.heartbeat()
    await this.#service.running.runJobs()
  }

  async #do(user: TestUser, method: string, path: string, body?: unknown) {
    const answer = await this.#service.customer(user, method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }

  async #operate(method: string, path: string, body: unknown) {
    const answer = await this.#service.operator(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }

  /** Sessions of customers end sooner than what they have bought. */
  async #asNow({ user, pages }: Scene): Promise<Scene> {
    const session = await this.#operate('POST', `/users/${user.id}/sessions`, undefined)
    return { user: { ...user, session_token: session.session_token }, pages }
  }

  async empty(): Promise<Scene> {
    const user = await this.#service.createUser({ email: 'nobody@example.com' })
    return {
      user,
      pages: [
        ['home', '/'],
        ['connect', '/connect'],
        ['shop', '/shop'],
        ['shop-config', '/shop/config'],
        ['keys', '/keys'],
        ['gift', '/gift'],
        ['subscriptions', '/subscriptions'],
        ['devices', '/devices'],
        ['balance', '/balance'],
        ['friends', '/friends'],
        ['notifications', '/notifications'],
        ['settings', '/settings'],
      ],
    }
  }

  /** Addresses that lead nowhere, and things that are not there or are somebody else's. */
  async lost(): Promise<Scene> {
    const user = await this.#service.createUser({ balance: 5000 })
    await this.#do(user, 'POST', '/paid-options', {
      paid_option_id: 1,
      payment_method_id: 1,
      tariff_id: 11,
    })
    return {
      user,
      pages: [
        ['address', '/nowhere/at/all'],
        ['config', '/configs/999999'],
        ['config-renew', '/configs/999999/renew'],
        ['option', '/options/999999'],
        ['option-renew', '/options/999999/renew'],
        ['option-config', '/options/1/configs/999999'],
        ['cloud', '/clouds/999999'],
        ['cloud-renew', '/clouds/999999/renew'],
        ['cloud-config', '/clouds/999999/configs/999999'],
        ['subscription', '/subscriptions/999999'],
        ['connect', '/connect?for=999999'],
        ['payment', '/payments/999999'],
        ['shop-option', '/shop/option/999999'],
        ['gift', '/gift#ABCD-EFGH-IJKL-MNOP'],
      ],
    }
  }

  async #termed(): Promise<Scene> {
    const user = await this.#service.createUser({ balance: 20_000 })
    const config = await this.#service.buy(user)
    await this.#do(user, 'POST', '/paid-options', { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 })
    const [option] = await this.#do(user, 'GET', '/paid-options')
    const order = { location_id: 1, tariff_config_id: 1, payment_method_id: 1, tariff_id: 31 }
    const cloud = await this.#do(user, 'POST', '/cloud-servers', order)
    await this.#pass()
    const own = await this.#do(user, 'POST', `/cloud-servers/${cloud.id}/configs`, { protocol: 'vless' })
    const subscription = await this.#do(user, 'POST', '/profile/custom-subscriptions', {
      title: 'TV',
      items: [
        { item_type: 'user_config', item_reference_id: config.id },
        { item_type: 'paid_option', item_reference_id: 1 },
      ],
    })
    return {
      user,
      pages: [
        ['home', '/'],
        ['connect', '/connect'],
        ['config', `/configs/${config.id}`],
        ['config-renew', `/configs/${config.id}/renew`],
        ['option', '/options/1'],
        ['option-renew', '/options/1/renew'],
        ['option-config', `/options/1/configs/${option.configs[0].id}`],
        ['cloud', `/clouds/${cloud.id}`],
        ['cloud-renew', `/clouds/${cloud.id}/renew`],
        ['cloud-config', `/clouds/${cloud.id}/configs/${own.id}`],
        ['subscription', `/subscriptions/${subscription.id}`],
        ['notifications', '/notifications'],
      ],
    }
  }

  /** Three who bought the same: of one it is gone, of one it has ended and can be brought back, of one it ends within hours. */
  async ended(): Promise<{ readonly gone: Scene; readonly ended: Scene; readonly ending: Scene }> {
    const gone = await this.#termed()
    await this.#pass(20 * day)
    const ended = await this.#termed()
    await this.#pass(day + 60)
    const ending = await this.#termed()
    await this.#pass(29 * day + 80_000)
    await this.#pass(60)
    return {
      gone: await this.#asNow(gone),
      ended: await this.#asNow(ended),
      ending: await this.#asNow(ending),
    }
  }

  /** Its traffic is used up. */
  async limited(): Promise<Scene> {
    const node = await enrolNode(this.#service, 1, { protocols: ['vless'], capacity: 50 })
    await node.report()
    const words = Object.fromEntries(
      ['caption', 'description'].flatMap((one) => [`${one}_ru`, `${one}_en`].map((name) => [name, 'Слова'])),
    )
    const option = await this.#operate('POST', '/paid-options', {
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
    const user = await this.#service.createUser({ balance: 1000 })
    const bought = await this.#do(user, 'POST', '/paid-options', {
      paid_option_id: option.id,
      payment_method_id: 1,
      tariff_id: option.tariffs[0].id,
    })
    const [config] = bought.configs
    await node.report({ traffic: [{ boot_id: 'one', id: `a${config.id}`, up: 1050, down: 0 }] })
    await this.#service.running.runJobs()
    const { status } = await this.#do(user, 'GET', `/paid-options/${option.id}/subscription`)
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
  async disabled(): Promise<Scene> {
    const user = await this.#service.createUser({ balance: 5000 })
    await this.#do(user, 'POST', '/paid-options', { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 })
    await this.#operate('PATCH', `/users/${user.id}/paid-options/1`, { is_disabled: true, reason: 'asked' })
    return {
      user,
      pages: [
        ['home', '/'],
        ['option', '/options/1'],
      ],
    }
  }

  async #order(user: TestUser, hostname?: string): Promise<number> {
    const body = { location_id: 1, tariff_config_id: 1, payment_method_id: 1, tariff_id: 31 }
    const named = hostname === undefined ? body : { ...body, hostname }
    return (await this.#do(user, 'POST', '/cloud-servers', named)).id
  }

  /** A machine that is looked for, and one that was made and has not called home. */
  async ordered(): Promise<Scene> {
    const rented = new RentedMachines(this.#service)
    const cloudId = await rented.account('hetzner', this.#hetznerToken)
    const sold = await this.#service.db.selectFrom('cloud_offers').selectAll().execute()
    await rented.offers({ cloudId, region: 'fsn1', type: 'cx23', image: 'debian-12' })
    const user = await this.#service.createUser({ balance: 10_000 })
    const purchased = await this.#order(user)
    for (let n = 0; n < 4; n++) await this.#pass(3)
    const ordered = await this.#order(user)
    const servers: { id: number; status: string }[] = await this.#do(user, 'GET', '/cloud-servers')
    const statuses = Object.fromEntries(servers.map(({ id, status }) => [id, status]))
    if (statuses[purchased] !== 'purchased' || statuses[ordered] !== 'ordered')
      throw new Error(`The servers are ${JSON.stringify(statuses)}`)
    await this.#service.db.deleteFrom('cloud_offers').where('cloud_id', '=', cloudId).execute()
    await this.#service.db
      .insertInto('cloud_offers')
      .values(sold.filter((one) => one.location_id === 1 && one.configuration_id === 1))
      .execute()
    return {
      user,
      pages: [
        ['home', '/'],
        ['ordered', `/clouds/${ordered}`],
        ['purchased', `/clouds/${purchased}`],
      ],
    }
  }

  /** Devices beyond the limit, one of them blocked, with names as long as apps send. */
  async devices(): Promise<Scene> {
    const user = await this.#service.createUser({ balance: 1000 })
    await this.#service.buy(user)
    for (const [hwid, model] of [
      ['blocked-0123456789', 'iPhone 15'],
      ['long-name-0123456789', 'M'.repeat(64)],
    ] as const) {
      await this.#service.call('GET', `/sub/${user.subscription_key}`, {
        headers: {
          'user-agent': 'Happ/2.0/ios',
          'x-hwid': hwid,
          'x-device-os': 'iOS',
          'x-device-model': model,
        },
      })
    }
    const { devices } = await this.#do(user, 'GET', '/profile/devices')
    const [one] = devices
    await this.#do(user, 'PATCH', `/profile/devices/${one.id}/blocked`, { is_blocked: true })
    return {
      user,
      pages: [
        ['home', '/'],
        ['devices', '/devices'],
      ],
    }
  }

  /** A payment in each of its states, and a history that has them all. */
  async payments(): Promise<Scene> {
    const { clock } = this.#service
    const user = await this.#service.createUser({ balance: 1000, referral_balance: 20_000 })
    const link = () => this.#do(user, 'POST', '/configs', { ...usualOrder, payment_method_id: sbp })
    const press = ({ link: at }: { link: string }, action: string) =>
      this.#service.call('POST', new URL(at).pathname, { body: { action } })
    const receive = ({ link: at }: { link: string }, receiptId: string, amount: number) => {
      const paymentId = new URL(at).pathname.split('/').at(-1) as string
      const fact = { kind: 'received', providerPaymentId: null, currency: 'RUB', payer: null } as const
      return settleReceived(
        this.#service.db,
        'sandbox',
        { ...fact, paymentId, receiptId, amount },
        clock.now(),
      )
    }
    const expired = await link()
    await this.#pass(3600)
    // No server answers, so that what was paid for cannot be given.
    const credited = await link()
    clock.advance(91)
    await receive(credited, 'no room', 200)
    await this.#service.running.runJobs()
    clock.advance(601)
    await this.#service.running.runJobs()
    await this.#pass()
    const [cancelled, paid, refunded, held] = [await link(), await link(), await link(), await link()]
    await press(cancelled, 'decline')
    await press(paid, 'pay')
    await press(refunded, 'pay')
    await this.#pass()
    await this.#operate('POST', `/payments/${refunded.payment_id}/refund`, { to: 'source', reason: 'asked' })
    await this.#pass()
    await receive(held, 'too little', 90)
    const waiting = await link()
    await this.#do(user, 'POST', '/profile/referral/withdraw/card', {
      amount: 1500,
      card_number: '4111111111111111',
    })
    const made = { waiting, held, paid, expired, cancelled, credited, refunded }
    const wanted = {
      ...Object.fromEntries(Object.keys(made).map((name) => [name, name])),
      held: 'processing',
    }
    for (const [name, { payment_id: id }] of Object.entries(made)) {
      const { state } = await this.#do(user, 'GET', `/profile/payments/${id}`)
      if (state !== wanted[name as keyof typeof wanted]) throw new Error(`${name} is ${state}`)
    }
    return this.#asNow({
      user,
      pages: [
        ...Object.entries(made).map(([name, { payment_id: id }]) => [name, `/payments/${id}`] as const),
        ['balance', '/balance'],
        ['friends', '/friends'],
        ['home', '/'],
      ],
    })
  }

  /** Everything that may be named has the longest name there is. */
  async long(): Promise<Scene> {
    const user = await this.#service.createUser({
      email: `${'m'.repeat(60)}@${'d'.repeat(60)}.example.com`,
      balance: 9_999_999,
      referral_balance: 9_999_999,
    })
    const config = await this.#service.buy(user)
    await this.#do(user, 'PATCH', `/configs/title/${config.id}`, { title: longName })
    await this.#do(user, 'POST', '/paid-options', { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 })
    const cloudId = await this.#order(user, longHost)
    await this.#pass()
    const own = await this.#do(user, 'POST', `/cloud-servers/${cloudId}/configs`, { protocol: 'vless' })
    const subscription = await this.#do(user, 'POST', '/profile/custom-subscriptions', {
      title: longName,
      items: [{ item_type: 'user_config', item_reference_id: config.id }],
    })
    await this.#operate('POST', `/users/${user.id}/notifications`, {
      content: `https://example.com/${'n'.repeat(200)}`,
    })
    return this.#asNow({
      user,
      pages: [
        ['home', '/'],
        ['connect', `/connect?for=${subscription.id}`],
        ['config', `/configs/${config.id}`],
        ['config-renew', `/configs/${config.id}/renew`],
        ['cloud', `/clouds/${cloudId}`],
        ['cloud-config', `/clouds/${cloudId}/configs/${own.id}`],
        ['subscriptions', '/subscriptions'],
        ['subscription', `/subscriptions/${subscription.id}`],
        ['balance', '/balance'],
        ['friends', '/friends'],
        ['notifications', '/notifications'],
        ['settings', '/settings'],
      ],
    })
  }

  /** Nodes are heard of no more. */
  async down(): Promise<Scene> {
    const scene = await this.#termed()
    this.#service.clock.advance(600)
    return this.#asNow(scene)
  }
}
