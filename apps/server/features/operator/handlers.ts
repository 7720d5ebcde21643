import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { operatorClouds } from '@sallyport/contract/operator/clouds'
import type { operatorDelivery } from '@sallyport/contract/operator/delivery'
import type { operatorMoney } from '@sallyport/contract/operator/money'
import type { operator } from '@sallyport/contract/operator/operator'
import type { operatorPaidOptions } from '@sallyport/contract/operator/paid-options'
import type { operatorSettings } from '@sallyport/contract/operator/settings'
import { pricingRules, pricingRuleTypes } from '@sallyport/contract/product-types'
import { createUser, grantByOperator, insertApiKey, insertSession } from '../../core/accounts/users.ts'
import type { Handlers } from '../../core/call.ts'
import { createServer } from '../../core/fleet/new-servers.ts'
import { createNode } from '../../core/fleet/nodes.ts'
import { isHeard } from '../../core/fleet/servers.ts'
import { audited } from '../../core/kernel/audit.ts'
import type { Db } from '../../db/client.ts'
import { cloudAccountHandlers } from './clouds/accounts.ts'
import { cloudConfigurationHandlers } from './clouds/configurations.ts'
import { machineHandlers } from './clouds/machines.ts'
import { isCustomersNode } from './clouds/queries.ts'
import { insertNotification, insertPricingRule, listNodes, lockCustomer } from './common/queries.ts'
import { customerHandlers } from './customers/customers.ts'
import { appHandlers } from './delivery/apps.ts'
import { deliverySettingHandlers } from './delivery/settings.ts'
import { deliveryTemplateHandlers } from './delivery/templates.ts'
import { nodeHandlers } from './fleet/nodes.ts'
import { operatorTokenHandlers } from './operators/tokens.ts'
import { optionSubscriptionHandlers } from './paid-options/customer-options.ts'
import { optionCatalogueHandlers } from './paid-options/paid-options.ts'
import { paymentHandlers } from './payments/payments.ts'
import { rateHandlers } from './payments/rates.ts'
import { refundHandlers } from './payments/refunds.ts'
import { promocodeHandlers } from './promocodes/promocodes.ts'
import { settingsHandlers } from './settings/settings.ts'
import { withdrawalHandlers } from './withdrawals/withdrawals.ts'

const rulesOfOne = pricingRuleTypes.filter((type) => pricingRules[type].isOne)

const requireUser = async (tx: Db, id: number): Promise<void> => {
  if (!(await lockCustomer(tx, id))) throw new ApiError('NOT_FOUND')
}

/** A certificate and its key come together or not at all. */
const readCertificate = (body: { certificate?: string; certificate_key?: string }) => {
  const { certificate, certificate_key: key } = body
  if (certificate === undefined && key === undefined) return undefined
  if (certificate === undefined) throw badRequest('certificate', 'is required with certificate_key')
  if (key === undefined) throw badRequest('certificate_key', 'is required with certificate')
  return { certificate, key }
}

export const operatorHandlers: Handlers<typeof operator> = {
  ...nodeHandlers,
  ...operatorTokenHandlers,
  createUser: ({ vault, sessions, operatorRole, body, now }) => {
    if (operatorRole === 'support' && (body.balance || body.referral_balance)) {
      throw new ApiError('FORBIDDEN', [{ path: 'balance', problem: 'needs the role owner or finance' }])
    }
    return async (tx) => {
      const email = body.email ?? null
      const user = await createUser(tx, vault, now, {
        email,
        signInMethod: 'signIn',
        referralCode: body.referral_code,
      })
      const { balance = 0, referral_balance: referralBalance = 0 } = body
      const grant = { userId: user.id, now }
      await grantByOperator(tx, {
        ...grant,
        kind: 'wallet',
        amount: balance,
        cause: `user:${user.id}:opening-wallet`,
      })
      await grantByOperator(tx, {
        ...grant,
        kind: 'referral',
        amount: referralBalance,
        cause: `user:${user.id}:opening-referral`,
      })
      const { apiKey } = await insertApiKey(tx, vault, { userId: user.id, title: null, now })
      const { token } = await sessions.issue(await insertSession(tx, user.id, now), user.id)
      const made = {
        id: user.id,
        email: user.email,
        api_key: apiKey,
        session_token: token,
        subscription_key: user.subscriptionKey,
        referral_code: user.referralCode,
      }
      // Without the address: the log is for ever, and the customer may want to be forgotten.
      return audited(made, { id: user.id, details: { balance, referral_balance: referralBalance } })
    }
  },

  createSession:
    ({ sessions, params, now }) =>
    async (tx) => {
      await requireUser(tx, params.id)
      const { token, expiresAt } = await sessions.issue(await insertSession(tx, params.id, now), params.id)
      return audited({ session_token: token, expires_at: expiresAt }, {})
    },

  createPricingRule: ({ params, body, now }) => {
    const productId = body.product_id ?? null
    if (productId !== null && !pricingRules[body.type].isOne) {
      throw badRequest('product_id', `is only for the types ${rulesOfOne.join(', ')}`)
    }
    return async (tx) => {
      await requireUser(tx, params.id)
      const rule = await insertPricingRule(tx, {
        user_id: params.id,
        type: body.type,
        product_id: productId,
        percent: body.percent,
        comment: body.comment ?? null,
        created_at: now,
      })
      return audited(rule, { details: rule })
    }
  },

  createNotification:
    ({ params, body, now }) =>
    async (tx) => {
      await requireUser(tx, params.id)
      const notification = await insertNotification(tx, params.id, body.content, now)
      // What was said may be personal, and the log is for ever.
      return audited(notification, { details: { id: notification.id } })
    },

  listNodes: async ({ db, now }) =>
    (await listNodes(db)).map((node) => ({
      ...node,
      is_online: isHeard(node.last_seen_at, now),
    })),

  createNode:
    ({ body, now }) =>
    async (tx) => {
      const { name, address, listen_address: listenAddress = '0.0.0.0' } = body
      const node = await createNode(tx, { name, address, listenAddress }, now)
      const made = { id: node.id, enrolment_token: node.enrolmentToken, expires_at: node.expiresAt }
      return audited(made, { id: node.id, details: body })
    },

  createServer:
    ({ vault, bus, body, now }) =>
    async (tx) => {
      if (await isCustomersNode(tx, body.node_id)) {
        throw badRequest('node_id', 'is a customer’s own machine; nobody else is served there')
      }
      const id = await createServer(
        { db: tx, vault, bus, now },
        {
          nodeId: body.node_id,
          locationId: body.location_id,
          capacity: body.capacity,
          domain: body.domain,
          certificate: readCertificate(body),
          realityTarget: body.reality_target,
          realityServerName: body.reality_server_name,
          otherTarget: body.other_reality_target,
          otherServerName: body.other_reality_server_name,
          protocols: body.protocols,
          ports: body.ports,
        },
      )
      const { certificate_key: _key, ...details } = body
      return audited({ id }, { id, details })
    },
}

export const operatorMoneyHandlers: Handlers<typeof operatorMoney> = {
  ...paymentHandlers,
  ...refundHandlers,
  ...withdrawalHandlers,
  ...promocodeHandlers,
  ...rateHandlers,
}

export const operatorSettingsHandlers: Handlers<typeof operatorSettings> = {
  ...customerHandlers,
  ...settingsHandlers,
}

export const operatorPaidOptionHandlers: Handlers<typeof operatorPaidOptions> = {
  ...optionCatalogueHandlers,
  ...optionSubscriptionHandlers,
}

export const operatorCloudHandlers: Handlers<typeof operatorClouds> = {
  ...cloudAccountHandlers,
  ...cloudConfigurationHandlers,
  ...machineHandlers,
}

export const operatorDeliveryHandlers: Handlers<typeof operatorDelivery> = {
  ...deliverySettingHandlers,
  ...deliveryTemplateHandlers,
  ...appHandlers,
}
