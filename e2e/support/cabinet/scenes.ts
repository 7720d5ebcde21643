import type { HetznerStandIn } from '../../../test/support/clouds/hetzner.ts'
import { RentedMachines } from '../../../test/support/rented-machines.ts'
import type { TestService, TestUser } from '../../../test/support/service.ts'
import { longName, type Scene, type Stage } from './stage.ts'

/** Customers to whom something has happened, and the pages that tell them of it. */

const day = 86_400

const longHost = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`

export class Scenes {
  readonly #stage: Stage
  readonly #service: TestService
  readonly #hetzner: Pick<HetznerStandIn, 'faults'>
  readonly #token: string

  constructor(stage: Stage, hetzner: Pick<HetznerStandIn, 'faults'>, token: string) {
    this.#stage = stage
    this.#service = stage.service
    this.#hetzner = hetzner
    this.#token = token
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
    await this.#stage.do(user, 'POST', '/paid-options', {
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
    await this.#stage.do(user, 'POST', '/paid-options', {
      paid_option_id: 1,
      payment_method_id: 1,
      tariff_id: 11,
    })
    const [option] = await this.#stage.do(user, 'GET', '/paid-options')
    const order = { location_id: 1, tariff_config_id: 1, payment_method_id: 1, tariff_id: 31 }
    const cloud = await this.#stage.do(user, 'POST', '/cloud-servers', order)
    await this.#stage.pass()
    const own = await this.#stage.do(user, 'POST', `/cloud-servers/${cloud.id}/configs`, {
      protocol: 'vless',
    })
    const subscription = await this.#stage.do(user, 'POST', '/profile/custom-subscriptions', {
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
    await this.#stage.pass(20 * day)
    const ended = await this.#termed()
    await this.#stage.pass(day + 60)
    const ending = await this.#termed()
    await this.#stage.pass(29 * day + 80_000)
    await this.#stage.pass(60)
    return {
      gone: await this.#stage.asNow(gone),
      ended: await this.#stage.asNow(ended),
      ending: await this.#stage.asNow(ending),
    }
  }

  async #order(user: TestUser, hostname?: string): Promise<number> {
    const body = { location_id: 1, tariff_config_id: 1, payment_method_id: 1, tariff_id: 31 }
    const named = hostname === undefined ? body : { ...body, hostname }
    return (await this.#stage.do(user, 'POST', '/cloud-servers', named)).id
  }

  /** A machine that is looked for, and one that was made and has not called home. */
  async ordered(): Promise<Scene> {
    const rented = new RentedMachines(this.#service)
    const cloudId = await rented.account('hetzner', this.#token)
    const sold = await this.#service.db.selectFrom('cloud_offers').selectAll().execute()
    await rented.offers({ cloudId, region: 'fsn1', type: 'cx23', image: 'debian-12' })
    const user = await this.#service.createUser({ balance: 10_000 })
    const purchased = await this.#order(user)
    for (let n = 0; n < 4; n++) await this.#stage.pass(3)
    this.#hetzner.faults.always('create', { kind: 'status', status: 503 })
    const ordered = await this.#order(user)
    const servers: { id: number; status: string }[] = await this.#stage.do(user, 'GET', '/cloud-servers')
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
    const { devices } = await this.#stage.do(user, 'GET', '/profile/devices')
    const [one] = devices
    await this.#stage.do(user, 'PATCH', `/profile/devices/${one.id}/blocked`, { is_blocked: true })
    return {
      user,
      pages: [
        ['home', '/'],
        ['devices', '/devices'],
      ],
    }
  }

  /** Everything that may be named has the longest name there is. */
  async long(): Promise<Scene> {
    const user = await this.#service.createUser({
      email: `${'m'.repeat(60)}@${'d'.repeat(60)}.example.com`,
      balance: 9_999_999,
      referral_balance: 9_999_999,
    })
    const config = await this.#service.buy(user)
    await this.#stage.do(user, 'PATCH', `/configs/title/${config.id}`, { title: longName })
    await this.#stage.do(user, 'POST', '/paid-options', {
      paid_option_id: 1,
      payment_method_id: 1,
      tariff_id: 11,
    })
    const cloudId = await this.#order(user, longHost)
    await this.#stage.pass()
    const own = await this.#stage.do(user, 'POST', `/cloud-servers/${cloudId}/configs`, { protocol: 'vless' })
    const subscription = await this.#stage.do(user, 'POST', '/profile/custom-subscriptions', {
      title: longName,
      items: [{ item_type: 'user_config', item_reference_id: config.id }],
    })
    await this.#stage.operate('POST', `/users/${user.id}/notifications`, {
      content: `https://example.com/${'n'.repeat(200)}`,
    })
    return this.#stage.asNow({
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
    return this.#stage.asNow(scene)
  }
}
