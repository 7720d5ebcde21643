import type { Notes } from './notes.ts'

/** What fields about money and the operator's office mean. */

export const moneyRequestNotes: Notes = {
  before: {
    ru: 'Только записи до этого id: так листают к более старым',
    en: 'Only what is before this id: the way to older pages',
  },
  search: { ru: 'Номер, почта или код целиком', en: 'A whole id, e-mail or code' },
  provider: { ru: 'Имя настроенного провайдера', en: 'Name of a configured provider' },
  to: {
    ru: 'source — туда, откуда пришли, balance — на баланс клиента',
    en: "source: to where the money came from; balance: to the customer's balance",
  },
  recipient: {
    ru: 'Кому вернуть, если провайдер сам не знает плательщика',
    en: 'Whom to pay back where the provider does not know the payer',
  },
  bank_id: { ru: 'Из списка банков', en: 'From the list of banks' },
  phone_number: { ru: '+7 и 10 цифр', en: '+7 and 10 digits' },
  card_number: {
    ru: '13–19 цифр, можно группами; проверяется по алгоритму Луна',
    en: '13 to 19 digits, in groups if you like; checked with the Luhn algorithm',
  },
  count: { ru: 'Сколько ключей выпустить', en: 'How many keys to issue' },
  valid_hours: {
    ru: 'Если не указано — 168; null — пока не изменят',
    en: '168 when left out; null: until it is changed',
  },
  is_open: { ru: 'true — нерешённые, false — решённые', en: 'true: unresolved; false: resolved' },
  account: {
    ru: 'wallet — баланс, referral — реферальный баланс',
    en: 'wallet: the balance; referral: the referral balance',
  },
}

export const moneyNotes: Notes = {
  item_id: { ru: 'Что куплено или продлено', en: 'What was bought or renewed' },
  value_rub: { ru: 'Сколько это в рублях', en: 'What it is worth in roubles' },
  payment_id: {
    ru: 'Номер платежа здесь; он же в метаданных у провайдера',
    en: "Name of the payment here, and in the provider's metadata",
  },
  provider_payment_id: { ru: 'Номер платежа у провайдера', en: "The provider's name of the payment" },
  price_steps: { ru: 'Как получилась цена', en: 'How the price came about' },
  verdict: {
    ru: 'accepted — оплатило заказ, extra — лишнее, зачислено на баланс, suspense — неверная сумма или валюта',
    en: 'accepted: paid the order; extra: too much, credited; suspense: wrong amount or currency',
  },
  failure: { ru: 'Почему не получилось', en: 'Why it did not work' },
  referrer_id: { ru: 'Кто пригласил', en: 'Who invited this customer' },
  referral_percent: {
    ru: 'Сколько процентов внешних платежей достаётся пригласившему',
    en: 'Percent of money from outside that goes to who invited',
  },
  referral_hold_days: { ru: 'Сколько дней заработок заморожен', en: 'How many days earnings are held' },
  is_fresh: { ru: 'Можно ли сейчас продавать по этому курсу', en: 'Whether it can be sold by now' },
  activation_days: { ru: 'На сколько дней активирует', en: 'For how many days it activates' },
  renewal_reminders: {
    ru: 'Приходят ли напоминания о продлении',
    en: 'Whether reminders to renew come',
  },
  notification_start_hour: {
    ru: 'С какого часа по времени клиента',
    en: "From this hour of the customer's day",
  },
  notification_end_hour: {
    ru: 'До какого часа по времени клиента; можно за полночь',
    en: "To this hour of the customer's day; may pass midnight",
  },
  link: { ru: 'Страница оплаты, действует час', en: 'The page to pay at; good for an hour' },
}

/** Descriptions written in the schemas themselves. */
export const moneyTranslations: Readonly<Record<string, string>> = {
  Roubles: 'Рубли',
  'Whole roubles, 1-15000': 'Целые рубли, 1–15000',
  'In the currency of the method': 'В валюте способа оплаты',
  'False once used': 'false — уже использован',
  Masked: 'Середина скрыта',
  'Roubles for one unit': 'Рублей за единицу',
  'Switched on, its provider configured, its rate fresh': 'Включён, провайдер настроен, курс свежий',
  'Minutes from UTC': 'Минуты от UTC',
}
