import Type from 'typebox'
import { table } from '../../operation.ts'
import { Closed, field, Id } from '../../shapes.ts'
import { salesFields } from './statistics.ts'

const Count = (example: number, about: { en: string; ru: string }) =>
  field(Type.Integer(), { ...about, example })

const Sales = Closed(salesFields)
const Compared = Closed({
  ...salesFields,
  before: field(Sales, { en: 'The same number of days before', ru: 'Столько же дней перед этим' }),
})

/** Part of the figures: the front page. */
export const overviewRows = table({
  showOverview: {
    method: 'GET',
    path: '/overview',
    summary: {
      en: 'The front page in one call: sales, customers, what ends soon, what waits for a person, nodes and free slots',
      ru: 'Главная страница одним запросом: продажи, клиенты, что скоро закончится, что ждёт человека, узлы и свободные места',
    },
    auth: 'operator',
    limit: 'none',
    request: {},
    response: {
      200: Closed({
        sales: Closed({
          today: Compared,
          last_7_days: field(Compared, { en: 'Today is the last of them', ru: 'Сегодня — последний из них' }),
          last_30_days: field(Compared, {
            en: 'Today is the last of them',
            ru: 'Сегодня — последний из них',
          }),
        }),
        customers: Closed({
          new_today: Count(3, { en: 'Accounts made today', ru: 'Аккаунты, созданные сегодня' }),
          new: Count(90, { en: 'Accounts made in 30 days', ru: 'Аккаунты, созданные за 30 дней' }),
          active: Count(1200, {
            en: 'Customers who have something live; of more than 20,000 as a minute ago',
            ru: 'Клиенты, у которых что-то действует; если их больше 20 000 — на минуту раньше',
          }),
          ended: Count(40, {
            en: 'Customers whose last thing ended in 30 days',
            ru: 'Клиенты, у которых за 30 дней закончилось последнее',
          }),
        }),
        terms_ending: Count(25, { en: 'What ends within 3 days', ru: 'Что закончится за 3 дня' }),
        terms_ending_unrenewed: Count(10, {
          en: 'Of these, without auto-renewal',
          ru: 'Из них без автопродления',
        }),
        open: Closed({
          alerts: Count(1, { en: 'Alerts that nobody has resolved', ru: 'Неразобранные тревоги' }),
          withdrawals: Count(2, { en: 'Withdrawals to be decided', ru: 'Выводы, ждущие решения' }),
          payments: Count(4, { en: 'Orders that wait for their money', ru: 'Заказы, ждущие оплаты' }),
          grants: Count(0, { en: 'Paid, and not given yet', ru: 'Оплачено и ещё не выдано' }),
        }),
        nodes: Closed({
          total: field(Type.Integer(), { example: 12 }),
          online: field(Type.Integer(), { example: 12 }),
        }),
        slots: Type.Array(
          Closed({
            location_id: field(Id, { example: 1 }),
            code: field(Type.String(), { example: 'nl' }),
            capacity: field(Type.Integer(), { example: 2000 }),
            used_slots: field(Type.Integer(), { example: 1500 }),
            free: field(Type.Integer(), {
              en: 'What can be sold on servers that are online',
              ru: 'Сколько можно продать на серверах, которые на связи',
              example: 500,
            }),
          }),
        ),
      }),
    },
    errors: [],
  },
})
