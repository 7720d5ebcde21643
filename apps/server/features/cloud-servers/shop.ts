import type { cloudServers } from '@sallyport/contract/customer/cloud-servers/cloud-servers'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { BodyOf } from '@sallyport/contract/operation'
import { hostnameProblem } from '@sallyport/domain/text/hostname'
import type { Handlers } from '../../core/call.ts'
import {
  findConfiguration,
  listCloudPlaces,
  listConfigurations,
  listOrderable,
} from '../../core/clouds/cloud-catalogue.ts'
import { listOwn, requireOwn } from '../../core/clouds/customer-machines.ts'
import { machineJob } from '../../core/clouds/machine-job.ts'
import { noServerIn } from '../../core/fleet/servers.ts'
import type { Vault } from '../../core/kernel/vault.ts'
import { AwaitingLink } from '../../core/sales/awaiting-link.ts'
import { checkout } from '../../core/sales/checkout.ts'
import { offered } from '../../core/sales/offered-prices.ts'
import { paymentOf, paymentProblem } from '../../core/sales/payment-choice.ts'
import { findPricingRules, findTariffProduct, listPrices } from '../../core/sales/prices.ts'
import { findPromocodeProduct } from '../../core/sales/promocodes.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import type { CloudPurchase } from './product.ts'
import { toServer } from './shown.ts'

/** Looking and buying. */

type Body = BodyOf<typeof cloudServers.buyCloudServer>

const requireHostname = (hostname: string | undefined): void => {
  const problem = hostname === undefined ? undefined : hostnameProblem(hostname)
  if (problem) throw badRequest('hostname', problem)
}

/** What the tariff or the promocode is for, where the customer does not say. */
const impliedConfiguration = async (tx: Db, vault: Vault, body: Body): Promise<number | undefined> => {
  if (body.tariff_id !== undefined) return findTariffProduct(tx, 'cloud_servers', body.tariff_id)
  return body.promocode === undefined
    ? undefined
    : findPromocodeProduct(tx, vault, 'cloud_servers', body.promocode)
}

/** Better said before the customer pays than after. */
const chooseConfiguration = async (tx: Db, vault: Vault, body: Body): Promise<number> => {
  const named = body.tariff_config_id ?? (await impliedConfiguration(tx, vault, body))
  if (named !== undefined && !(await findConfiguration(tx, named))) throw new ApiError('NOT_FOUND')
  const orderable = await listOrderable(tx, body.location_id)
  const chosen = named ?? orderable[0]
  if (chosen === undefined || !orderable.includes(chosen)) throw await noServerIn(tx, body.location_id)
  return chosen
}

export const shopHandlers: Pick<
  Handlers<typeof cloudServers>,
  'listCloudServers' | 'listCloudLocations' | 'listCloudTariffs' | 'buyCloudServer'
> = {
  listCloudServers: async ({ db, userId, now }) => (await listOwn(db, userId, now)).map(toServer),

  listCloudLocations: async ({ db, language }) =>
    (await listCloudPlaces(db)).map((place) => ({
      id: place.id,
      code: place.code,
      title: place[`title_${language}`],
      description: place[`description_${language}`],
      caption: place[`caption_${language}`] || null,
      is_active: place.is_active,
      ping_ip: place.ping_ip,
      server_type: place.server_type,
      available_tariff_config_ids: place.configuration_ids,
    })),

  listCloudTariffs: async (call) => {
    const { db, userId, language } = call
    const [configurations, prices, rules] = await Promise.all([
      listConfigurations(db),
      listPrices(db, call, { product: 'cloud_servers' }),
      findPricingRules(db, userId),
    ])
    return configurations
      .filter((configuration) => configuration.is_active)
      .map((configuration) => ({
        id: configuration.id,
        title: configuration[`title_${language}`],
        description: configuration[`description_${language}`],
        payment_methods: offered(
          prices.filter((price) => price.product_id === configuration.id),
          rules,
          language,
        ),
      }))
  },

  buyCloudServer: async (call) => {
    const { userId, vault, body, now, kick } = call
    const problem = paymentProblem(body)
    if (problem) throw new ApiError('BAD_REQUEST', [problem])
    requireHostname(body.hostname)
    const answer = await inTransaction(call.db, async (tx) => {
      const productId = await chooseConfiguration(tx, vault, body)
      const purchase: CloudPurchase = {
        locationId: body.location_id,
        ...(body.hostname !== undefined && { hostname: body.hostname.toLowerCase() }),
        enableAutoRenewal: body.enable_auto_renewal ?? false,
      }
      const what = { userId, product: 'cloud_servers', productId, itemId: null } as const
      const basket = { ...what, isRenewal: false, asKey: false, purchase }
      const outcome = await checkout(tx, call, basket, paymentOf(body))
      if (outcome instanceof AwaitingLink) return outcome
      return toServer(await requireOwn(tx, userId, outcome.itemId as number, now))
    })
    kick(machineJob)
    return answer
  },
}
