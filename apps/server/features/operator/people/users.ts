import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { userRows } from '@sallyport/contract/operator/people/users'
import { pricingRules, pricingRuleTypes } from '@sallyport/contract/product-types'
import { createUser, grantByOperator, insertApiKey, insertSession } from '../../../core/accounts/users.ts'
import type { Handlers } from '../../../core/call.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { requireProof } from '../../../core/operators/sessions.ts'
import { insertNotification, insertPricingRule, requireCustomer } from '../common/queries.ts'

const rulesOfOne = pricingRuleTypes.filter((type) => pricingRules[type].isOne)

export const userHandlers: Handlers<typeof userRows> = {
  createUser: ({ vault, sessions, operatorRole, operatorSession, body, now }) => {
    if (body.balance || body.referral_balance) {
      if (operatorRole === 'support') {
        throw new ApiError('FORBIDDEN', [{ path: 'balance', problem: 'needs the role owner or finance' }])
      }
      requireProof(operatorSession, now)
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
      return audited(made, { id: user.id, after: { balance, referral_balance: referralBalance } })
    }
  },

  createSession:
    ({ sessions, params, now }) =>
    async (tx) => {
      await requireCustomer(tx, params.id)
      const { token, expiresAt } = await sessions.issue(await insertSession(tx, params.id, now), params.id)
      return audited({ session_token: token, expires_at: expiresAt }, { after: { expires_at: expiresAt } })
    },

  createPricingRule: ({ params, body, now }) => {
    const productId = body.product_id ?? null
    if (productId !== null && !pricingRules[body.type].isOne) {
      throw badRequest('product_id', `is only for the types ${rulesOfOne.join(', ')}`)
    }
    return async (tx) => {
      await requireCustomer(tx, params.id)
      const rule = await insertPricingRule(tx, {
        user_id: params.id,
        type: body.type,
        product_id: productId,
        percent: body.percent,
        comment: body.comment ?? null,
        created_at: now,
      })
      return audited(rule, { after: rule })
    }
  },

  createNotification:
    ({ params, body, now }) =>
    async (tx) => {
      await requireCustomer(tx, params.id)
      const notification = await insertNotification(tx, params.id, body.content, now)
      // What was said may be personal, and the log is for ever.
      return audited(notification, { after: { id: notification.id } })
    },
}
