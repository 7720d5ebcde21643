import Type from 'typebox'
import { table } from '../../operation.ts'
import { Closed, exampleTime, field, Nullable, UnixSeconds } from '../../shapes.ts'
import { fleetReaders, money } from '../shapes.ts'

const At = field(UnixSeconds, {
  en: 'When the hour, day or month began, in the time zone of the settings',
  ru: 'Начало часа, дня или месяца в часовом поясе из настроек',
})

const Sum = (example: number, about: { en: string; ru: string } | object = {}) =>
  field(Type.Integer(), { ...about, example })

export const salesFields = {
  orders: Sum(12, {
    en: 'Orders fulfilled, top-ups too; gifts are not among them',
    ru: 'Выполненные заказы, включая пополнения; подарки не считаются',
  }),
  money_in: Sum(2400, {
    en: 'Money received from outside, in roubles',
    ru: 'Деньги, полученные извне, в рублях',
  }),
  from_balance: Sum(600, {
    en: 'Paid from balances, in roubles',
    ru: 'Оплачено с балансов, в рублях',
  }),
  refunded: Sum(200, {
    en: 'Given back, to the source or to a balance, in roubles',
    ru: 'Возвращено — на источник или на баланс, в рублях',
  }),
  gifts: Sum(1, { en: 'Orders given without payment', ru: 'Заказы, подаренные без оплаты' }),
}

const customerFields = {
  new: Sum(9, { en: 'Accounts that were made', ru: 'Созданные аккаунты' }),
  first_paid: Sum(4, {
    en: 'Customers whose first money from outside came',
    ru: 'Клиенты, от которых пришли первые деньги извне',
  }),
  active: Sum(1200, {
    en: 'Customers who had something live at the end of it',
    ru: 'Клиенты, у которых в конце что-то действовало',
  }),
  ended: Sum(3, {
    en: 'Customers whose last thing ended',
    ru: 'Клиенты, у которых закончилось последнее',
  }),
}

const trafficFields = {
  bytes_up: Sum(1_000_000_000, { en: 'From customers', ru: 'От клиентов' }),
  bytes_down: Sum(25_000_000_000, { en: 'To customers', ru: 'К клиентам' }),
}

const fleetFields = {
  nodes: Sum(12, { en: 'At the end of it', ru: 'В конце' }),
  nodes_online: Sum(12, { en: 'At the end of it', ru: 'В конце' }),
  capacity: Sum(12_000, { en: 'At the end of it', ru: 'В конце' }),
  used_slots: Sum(9000, { en: 'At the end of it', ru: 'В конце' }),
  customers_online: Sum(800, {
    en: 'The most at once; online is whose traffic moved within 5 minutes',
    ru: 'Наибольшее число сразу; на связи тот, чей трафик шёл в последние 5 минут',
  }),
}

const ofDimension = {
  product: field(Type.Optional(Type.String()), {
    en: 'With by=product; balance is a top-up',
    ru: 'Если by=product; balance — пополнение баланса',
    example: 'configs',
  }),
  method: field(Type.Optional(Type.String()), {
    en: 'With by=method; promocode and gift where nothing was paid',
    ru: 'Если by=method; promocode и gift, если оплаты не было',
    example: 'sbp',
  }),
  location: field(Type.Optional(Nullable(Type.Integer())), {
    en: 'With by=location: its id; null where it is in several places or in none',
    ru: 'Если by=location: номер локации; null, если мест несколько или нет',
    example: 1,
  }),
}

const span = {
  from: field(Type.Optional(UnixSeconds), {
    en: 'The hour, day or month of this moment is the first; otherwise a day, 30 days or a year back',
    ru: 'Первым будет час, день или месяц этого момента; иначе — сутки, 30 дней или год назад',
    example: exampleTime - 30 * 86_400,
  }),
  to: field(Type.Optional(UnixSeconds), {
    en: 'Until this moment; otherwise until now. At most 10,000 hours, days or months, and 100,000 rows',
    ru: 'До этого момента; иначе до сейчас. Не больше 10 000 часов, дней или месяцев и 100 000 строк',
  }),
  step: field(Type.Optional(Type.Enum(['hour', 'day', 'month'])), {
    en: 'day unless said otherwise',
    ru: 'По умолчанию day',
    example: 'day',
  }),
}

const dimensions = Type.Enum(['product', 'method', 'location'])

/** Part of the figures: how things went in time. */
export const statisticsRows = table({
  showSales: {
    method: 'GET',
    mayBeOld: true,
    path: '/statistics/sales',
    summary: {
      en: 'Sales by hour, day or month; of all, or by product, method or location',
      ru: 'Продажи по часам, дням или месяцам; всего или по товарам, способам оплаты, локациям',
    },
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: {
      query: Closed({ ...span, by: Type.Optional(dimensions) }),
    },
    response: {
      200: Closed({
        rows: Type.Array(Closed({ at: At, ...ofDimension, ...salesFields })),
        total: Closed(salesFields),
      }),
    },
    errors: [],
    csv: true,
  },
  showCustomerFigures: {
    method: 'GET',
    mayBeOld: true,
    path: '/statistics/customers',
    summary: {
      en: 'Customers by hour, day or month: new, paying for the first time, active, ended',
      ru: 'Клиенты по часам, дням или месяцам: новые, впервые заплатившие, активные, ушедшие',
    },
    auth: 'operator',
    limit: 'none',
    request: {
      query: Closed({
        ...span,
        by: field(Type.Optional(dimensions), {
          en: 'Always refused, with what can be divided: a customer is of no one product, method or location',
          ru: 'Всегда отклоняется с указанием того, что можно разбить: клиент не относится к одному товару, способу оплаты или локации',
        }),
      }),
    },
    response: {
      200: Closed({
        rows: Type.Array(Closed({ at: At, ...customerFields })),
        total: Closed(customerFields),
      }),
    },
    errors: [],
    csv: true,
  },
  showTrafficFigures: {
    method: 'GET',
    mayBeOld: true,
    path: '/statistics/traffic',
    summary: {
      en: 'Traffic of customers by hour, day or month; of all, or by location',
      ru: 'Трафик клиентов по часам, дням или месяцам; всего или по локациям',
    },
    auth: 'operator',
    roles: fleetReaders,
    limit: 'none',
    request: { query: Closed({ ...span, by: Type.Optional(Type.Enum(['location'])) }) },
    response: {
      200: Closed({
        rows: Type.Array(Closed({ at: At, location: ofDimension.location, ...trafficFields })),
        total: Closed(trafficFields),
      }),
    },
    errors: [],
    csv: true,
  },
  showFleetFigures: {
    method: 'GET',
    mayBeOld: true,
    path: '/statistics/fleet',
    summary: {
      en: 'Nodes and slots by hour, day or month; of all, or by location',
      ru: 'Узлы и места по часам, дням или месяцам; всего или по локациям',
    },
    auth: 'operator',
    roles: fleetReaders,
    limit: 'none',
    request: { query: Closed({ ...span, by: Type.Optional(Type.Enum(['location'])) }) },
    response: {
      200: Closed({
        rows: Type.Array(Closed({ at: At, location: ofDimension.location, ...fleetFields })),
        total: Closed(fleetFields),
      }),
    },
    errors: [],
    csv: true,
  },
})
