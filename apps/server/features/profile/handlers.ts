import type { profile } from '@sallyport/contract/customer/profile'
import { ApiError } from '@sallyport/contract/errors'
import { isKnownRule, pricingRules } from '@sallyport/contract/product-types'
import { productTitle } from '@sallyport/domain/money/product-title'
import { subscriptionKeyContext } from '../../core/accounts/subscription-keys.ts'
import type { Handlers } from '../../core/call.ts'
import { balanceHandlers } from './balance.ts'
import { historyHandlers } from './history.ts'
import { notificationHandlers } from './notifications.ts'
import { paymentHandlers } from './payment.ts'
import { promocodeHandlers } from './promocodes.ts'
import { findProfile, type ProfileRow } from './queries.ts'
import { referralHandlers } from './referral.ts'

/** Those for what another release sells have no title here. */
const shownRules = (rules: NonNullable<ProfileRow['pricing_rules']>, language: 'ru' | 'en') =>
  rules.filter(isKnownRule).map((rule) => {
    const { type, percent, comment } = rule
    return { type, product_title: productTitle(pricingRules[type].title, language, rule), percent, comment }
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
      ...(row.pricing_rules && { pricing_rules: shownRules(row.pricing_rules, language) }),
    }
  },

  ...notificationHandlers,
  ...referralHandlers,
  ...balanceHandlers,
  ...historyHandlers,
  ...paymentHandlers,
  ...promocodeHandlers,
}
