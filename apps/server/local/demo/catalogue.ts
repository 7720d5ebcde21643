import { fromRoubles } from '@sallyport/domain/money/exchange'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** What the demo sells, and where. */

export const locations = [
  [
    1,
    'NL',
    'Нидерланды',
    'Netherlands',
    'Амстердам, быстрый канал по Европе',
    'Amsterdam, fast across Europe',
  ],
  [
    2,
    'DE',
    'Германия',
    'Germany',
    'Франкфурт, рядом с главным узлом обмена трафиком',
    'Frankfurt, next to the main exchange',
  ],
  [
    3,
    'FI',
    'Финляндия',
    'Finland',
    'Хельсинки, низкая задержка с северо-запада',
    'Helsinki, low latency from the north-west',
  ],
  [7, 'US', 'США', 'United States', 'Нью-Йорк, для американских сервисов', 'New York, for American services'],
  [12, 'TR', 'Турция', 'Turkey', 'Стамбул, прокси mtproto недоступен', 'Istanbul, no mtproto proxy'],
  [
    18,
    'RU',
    'Россия',
    'Russia',
    'Москва, местные адреса по умолчанию идут напрямую',
    'Moscow, local addresses go direct by default',
  ],
] as const

const methods = [
  [1, 'balance', 'Баланс', 'Balance', 'RUB', 1],
  [2, 'sbp', 'СБП', 'SBP', 'RUB', 1],
  [3, 'card', 'Банковская карта', 'Bank card', 'RUB', 1],
  [4, 'ton', 'TON', 'TON', 'TON', 1],
  [5, 'usdt', 'USDT', 'USDT', 'USDT', 1],
  [6, 'stars', 'Telegram Stars', 'Telegram Stars', 'XTR', 1],
  [7, 'referral', 'Реферальный баланс', 'Referral balance', 'RUB', 1],
] as const

/** id, days, roubles, roubles before the discount. */
const tariffs = [
  [1, 30, 200, null],
  [2, 90, 540, 600],
  [3, 180, 990, 1200],
  [4, 365, 1800, 2400],
] as const

/** Millionths of a rouble for one unit; the demo's rates hold until somebody changes them. */
const rates: Readonly<Record<string, number>> = { TON: 285_714_286, USDT: 90_909_091, XTR: 1_666_667 }

const inCurrency = (roubles: number, currency: string): number =>
  fromRoubles(roubles, currency, rates[currency] ?? 0)

const providerOf = (key: string): string | null =>
  key === 'balance' || key === 'referral' ? null : 'sandbox'

export const insertCatalogue = async (tx: Db, pingIp: string): Promise<void> => {
  await tx
    .insertInto('locations')
    .values(
      locations.map(([id, code, title_ru, title_en, description_ru, description_en]) => ({
        id,
        code,
        title_ru,
        title_en,
        description_ru,
        description_en,
        caption_ru: 'Демо',
        caption_en: 'Demo',
        ping_ip: pingIp,
      })),
    )
    .execute()
  await tx
    .insertInto('tariffs')
    .values(tariffs.map(([id, days]) => ({ id, product: 'configs', product_id: null, days })))
    .execute()
  await insertMethods(tx)
}

/** Methods with their prices and rates; what an earlier version left out is added, what is there stays. */
const insertMethods = async (tx: Db): Promise<void> => {
  await tx
    .insertInto('payment_methods')
    .values(
      methods.map(([id, key, name_ru, name_en, currency, min_amount]) => ({
        id,
        key,
        name_ru,
        name_en,
        currency,
        min_amount,
        provider: providerOf(key),
      })),
    )
    .onConflict((oc) => oc.doNothing())
    .execute()
  const prices = tariffs.flatMap(([tariff_id, , price, oldPrice]) =>
    methods.map(([payment_method_id, , , , currency]) => ({
      tariff_id,
      payment_method_id,
      price: inCurrency(price, currency),
      old_price: oldPrice === null ? null : inCurrency(oldPrice, currency),
    })),
  )
  await tx
    .insertInto('tariff_prices')
    .values(prices)
    .onConflict((oc) => oc.doNothing())
    .execute()
  const kept = Object.entries(rates).map(([currency, micro_rub]) => ({
    currency,
    micro_rub,
    source: 'demo',
    set_at: 0,
  }))
  await tx
    .insertInto('rates')
    .values(kept)
    .onConflict((oc) => oc.doNothing())
    .execute()
}

/** Domain suffixes and a few of the largest networks of the country whose addresses leave directly. */
const home = {
  locationId: 18,
  domains: ['ru', 'su', 'xn--p1ai'],
  networks: ['5.255.192.0/18', '77.88.0.0/18', '87.240.128.0/18', '95.163.0.0/16', '213.180.192.0/19'],
}

export const setHome = async (tx: Db): Promise<void> => {
  await tx
    .updateTable('locations')
    .set({ home_domains: home.domains, home_networks: home.networks })
    .where('id', '=', home.locationId)
    .where(sql<boolean>`cardinality(home_domains) = 0`)
    .execute()
}
