import type { profile } from '@sallyport/contract/customer/profile'
import { ApiError } from '@sallyport/contract/errors'
import type { PricingRuleType } from '@sallyport/contract/shapes'
import { productTitle } from '@sallyport/domain/money/product-title'
import { subscriptionKeyContext } from '../../core/accounts/subscriptions.ts'
import type { Handlers } from '../../core/call.ts'
import { balanceHandlers } from './balance.ts'
import { historyHandlers } from './history.ts'
import { notificationHandlers } from './notifications.ts'
import { promocodeHandlers } from './promocodes.ts'
import { findProfile, type ProfileRow } from './queries.ts'
import { referralHandlers } from './referral.ts'

const pricingRules = (rules: NonNullable<ProfileRow['pricing_rules']>, language: 'ru' | 'en') =>
  rules.map((rule) => {
    const type = rule.type as PricingRuleType
    return { type, product_title: productTitle(type, language), percent: rule.percent, comment: rule.comment }
  })

export const profileHandlers: Handlers<typeof profile> = {
  getProfile: async ({ db, userId, vault, language }) => {
    const row = await findProfile(db, userId)
    if (!row) throw new ApiError('UNAUTHORIZED')
    return {
      id: row.id,
      email: row.email,
      uuid: row.uuid,
      subscription_key: vault.open(row.subscription_key_sealed, subscriptionKeyContext),
      sign_in_method: row.sign_in_method,
      referral_balance: row.referral_balance,
      balance: row.balance,
      referrals_count: row.referrals_count,
      is_messenger_connected: row.is_messenger_connected,
      referral_code: row.referral_code,
      onboarding_completed: row.onboarding_completed,
      ...(row.pricing_rules && { pricing_rules: pricingRules(row.pricing_rules, language) }),
    }
  },

  ...notificationHandlers,
  ...referralHandlers,
  ...balanceHandlers,
  ...historyHandlers,
  ...promocodeHandlers,
}
