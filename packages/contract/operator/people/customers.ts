import Type from 'typebox'
import { Balance, ReferralBalance } from '../../customer/account-shapes.ts'
import { table } from '../../operation.ts'
import { Closed, CreatedAt, field, Id } from '../../shapes.ts'
import { Anything, ByUser, money, PricingRuleRow, page, Reason, SeenVersion, wholeOrPage } from '../shapes.ts'

/** Part of the operator's office: customers. */
export const customerRows = table({
  listAccountEvents: {
    method: 'GET',
    path: '/users/:id/events',
    summary: {
      en: 'What happened to an account: sign-ins, changes of keys, transfers, deletion; newest first',
      ru: 'Что было с аккаунтом: входы, смена ключей, переносы, удаление; сначала новое',
    },
    auth: 'operator',
    limit: 'none',
    request: { params: ByUser, query: Closed(page) },
    response: {
      200: Type.Array(
        Closed({
          id: Id,
          kind: field(Type.String(), { example: 'signed_in' }),
          details: field(Anything, { example: { method: 'authCode' } }),
          created_at: CreatedAt,
        }),
      ),
    },
    errors: ['NOT_FOUND'],
  },
  adjustBalance: {
    method: 'POST',
    path: '/users/:id/balance',
    summary: {
      en: 'Add to a balance, or take from it with a negative amount; the reason is kept',
      ru: 'Пополнить баланс или, с минусом, снять с него; причина сохраняется',
    },
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: {
      params: ByUser,
      body: Closed({
        account: field(Type.Enum(['wallet', 'referral']), {
          en: 'wallet: the balance; referral: the referral balance',
          ru: 'wallet — баланс, referral — реферальный баланс',
        }),
        amount: field(Type.Integer({ minimum: -1_000_000_000, maximum: 1_000_000_000 }), { example: 300 }),
        reason: field(Reason, { example: 'two days without a server' }),
      }),
    },
    response: { 201: Closed({ balance: Balance, referral_balance: ReferralBalance }) },
    errors: ['NOT_FOUND', 'INSUFFICIENT_BALANCE', 'INSUFFICIENT_REFERRAL_BALANCE', 'CONFLICT'],
    idempotent: true,
    reauthenticates: true,
    audit: { subject: 'user' },
  },
  blockUser: {
    method: 'PATCH',
    path: '/users/:id/blocked',
    summary: {
      en: 'Close an account, or open it again; it works at once on every instance',
      ru: 'Закрыть аккаунт или открыть снова; действует сразу и везде',
    },
    auth: 'operator',
    limit: 'none',
    request: { params: ByUser, body: Closed({ is_blocked: Type.Boolean(), version: SeenVersion }) },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'user' },
  },
  listPricingRules: {
    method: 'GET',
    path: '/users/:id/pricing-rules',
    summary: { en: "A customer's personal discounts and surcharges", ru: 'Личные скидки и наценки клиента' },
    auth: 'operator',
    limit: 'none',
    request: { params: ByUser, query: Closed(wholeOrPage) },
    response: {
      200: Type.Array(PricingRuleRow),
    },
    errors: ['NOT_FOUND'],
  },
  deletePricingRule: {
    method: 'DELETE',
    path: '/users/:id/pricing-rules/:rule_id',
    summary: { en: 'Take a personal discount or surcharge away', ru: 'Убрать личную скидку или наценку' },
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: { params: Closed({ ...ByUser.properties, rule_id: field(Id, { example: 3 }) }) },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
    audit: { subject: 'user' },
  },
})
