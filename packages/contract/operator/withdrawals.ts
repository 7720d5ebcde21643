import Type from 'typebox'
import { bankExample } from '../customer/money-shapes.ts'
import { table } from '../operation.ts'
import { Closed, CreatedAt, field, Id, Nullable } from '../shapes.ts'
import { ById, Method, money, NotYet, page, Reason, UserEmail, UserId, WithdrawalStatus } from './shapes.ts'

const BankId = field(Nullable(Type.String()), { example: bankExample })

/** Part of the operator's money: earnings of referrers that leave the service. */
export const withdrawalRows = table({
  listWithdrawals: {
    method: 'GET',
    path: '/withdrawals',
    summary: {
      en: 'Withdrawals of referral earnings, newest first',
      ru: 'Выводы реферального заработка, сначала новые',
    },
    auth: 'operator',
    limit: 'none',
    request: { query: Closed({ ...page, status: Type.Optional(WithdrawalStatus) }) },
    response: {
      200: Type.Array(
        Closed({
          id: Id,
          user_id: UserId,
          email: UserEmail,
          method: Method,
          amount: field(Type.Integer(), { example: 5000 }),
          bank_id: BankId,
          bank_name: field(Nullable(Type.String()), { example: 'Сбербанк' }),
          account: field(Type.String(), { en: 'Masked', ru: 'Середина скрыта', example: '+7900•••••67' }),
          status: WithdrawalStatus,
          reason: field(Nullable(Type.String()), { example: null }),
          approved_by: field(Type.Array(Id), {
            en: 'Operators who have approved one that needs two people',
            ru: 'Операторы, одобрившие вывод, для которого нужны двое',
            example: [],
          }),
          created_at: CreatedAt,
          decided_at: NotYet,
        }),
      ),
    },
    errors: [],
    csv: true,
  },
  revealWithdrawalAccount: {
    method: 'POST',
    path: '/withdrawals/:id/account',
    summary: {
      en: 'The whole card number or phone of a pending withdrawal; every look is kept in the audit log',
      ru: 'Полный номер карты или телефон ожидающего вывода; каждый просмотр остаётся в журнале',
    },
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: { params: ById },
    response: {
      200: Closed({ account: field(Type.String(), { example: '+79001234567' }), bank_id: BankId }),
    },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'withdrawal' },
  },
  approveWithdrawal: {
    method: 'POST',
    path: '/withdrawals/:id/approve',
    summary: {
      en: 'The money was sent to the customer; above the setting two_person_amount it stays pending until another person approves it too',
      ru: 'Деньги отправлены клиенту; если сумма больше two_person_amount из настроек, вывод ждёт одобрения второго человека',
    },
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: { params: ById },
    example: { data: { id: 42, status: 'paid' } },
    response: { 200: Closed({ id: Id, status: WithdrawalStatus }) },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    reauthenticates: true,
    audit: { subject: 'withdrawal' },
  },
  rejectWithdrawal: {
    method: 'POST',
    path: '/withdrawals/:id/reject',
    summary: {
      en: 'Nothing is sent; the amount goes back to the referral balance, and the customer reads why',
      ru: 'Отказать: сумма вернётся на реферальный баланс, клиент прочтёт причину',
    },
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: { params: ById, body: Closed({ reason: field(Reason, { example: 'the card is closed' }) }) },
    example: { data: { id: 42, status: 'rejected' } },
    response: { 200: Closed({ id: Id, status: WithdrawalStatus }) },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    audit: { subject: 'withdrawal' },
  },
})
