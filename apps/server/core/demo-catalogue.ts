import { sql } from 'kysely'
import type { Db } from '../db/client.ts'

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
  [2, 'sbp', 'СБП', 'SBP', 'RUB', 10],
  [3, 'card', 'Банковская карта', 'Bank card', 'RUB', 50],
  [4, 'ton', 'TON', 'TON', 'TON', 10],
  [5, 'usdt', 'USDT', 'USDT', 'USDT', 100],
  [6, 'stars', 'Telegram Stars', 'Telegram Stars', 'XTR', 1],
] as const

/** id, days, roubles, roubles before the discount. */
const tariffs = [
  [1, 30, 200, null],
  [2, 90, 540, 600],
  [3, 180, 990, 1200],
  [4, 365, 1800, 2400],
] as const

/** How many smallest units of the currency one rouble buys in the demo. */
const unitsPerRouble: Readonly<Record<string, number>> = { RUB: 1, TON: 0.35, USDT: 1.1, XTR: 0.6 }

const inCurrency = (roubles: number, currency: string): number =>
  Math.max(1, Math.ceil(roubles * (unitsPerRouble[currency] as number)))

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
    .insertInto('payment_methods')
    .values(
      methods.map(([id, key, name_ru, name_en, currency, min_amount]) => ({
        id,
        key,
        name_ru,
        name_en,
        currency,
        min_amount,
      })),
    )
    .execute()
  await tx
    .insertInto('tariffs')
    .values(tariffs.map(([id, days]) => ({ id, product: 'configs', product_id: null, days })))
    .execute()
  const prices = tariffs.flatMap(([tariff_id, , price, oldPrice]) =>
    methods.map(([payment_method_id, , , , currency]) => ({
      tariff_id,
      payment_method_id,
      price: inCurrency(price, currency),
      old_price: oldPrice === null ? null : inCurrency(oldPrice, currency),
    })),
  )
  await tx.insertInto('tariff_prices').values(prices).execute()
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
