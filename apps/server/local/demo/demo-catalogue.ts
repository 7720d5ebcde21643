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
  [
    12,
    'TR',
    'Турция',
    'Turkey',
    'Стамбул; прокси MTProto — только на облачном сервере',
    'Istanbul; MTProto proxies on cloud servers only',
  ],
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

/** One server of each of these locations is the option's; the price is that of 30 days in roubles. */
const options = [
  {
    id: 1,
    key: 'white_internet',
    title: { ru: 'Белый интернет', en: 'White internet' },
    caption: { ru: 'Три страны в одной ссылке', en: 'Three countries in one link' },
    description: {
      ru: 'Серверы в Нидерландах, Германии и Финляндии: приложение само выбирает ближайший',
      en: 'Servers in the Netherlands, Germany and Finland: the app picks the nearest',
    },
    protocol: 'vless',
    locationIds: [1, 2, 3],
    deviceLimit: 5,
    trafficLimit: 0,
    // Customers may set anything.
    mostDevices: 0,
    mostTraffic: 0,
    price: 300,
  },
  {
    id: 2,
    key: 'around_the_world',
    title: { ru: 'Вокруг света', en: 'Around the world' },
    caption: { ru: 'Америка и Турция, 500 ГБ', en: 'America and Turkey, 500 GB' },
    description: {
      ru: 'Серверы в США и Турции для местных сервисов, 500 ГБ на 30 дней',
      en: 'Servers in the United States and Turkey for local services, 500 GB for 30 days',
    },
    protocol: 'hysteria2',
    locationIds: [7, 12],
    deviceLimit: 3,
    trafficLimit: 500_000_000_000,
    mostDevices: 3,
    mostTraffic: 500_000_000_000,
    price: 400,
  },
] as const

/** Tariffs of options are numbered 10, 20, … on from the option, in the order of the configurations' ones. */
const optionTariffs = options.flatMap(({ id: productId, price }) =>
  tariffs.map(
    ([n, days, roubles, old]) =>
      [
        productId * 10 + n,
        days,
        Math.round((roubles * price) / tariffs[0][2]),
        old === null ? null : Math.round((old * price) / tariffs[0][2]),
        productId,
      ] as const,
  ),
)

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
    .values([
      ...tariffs.map(([id, days]) => ({ id, product: 'configs' as const, product_id: null, days })),
      ...optionTariffs.map(([id, days, , , product_id]) => ({
        id,
        product: 'paid_options' as const,
        product_id,
        days,
      })),
    ])
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
  const prices = [...tariffs, ...optionTariffs].flatMap(([tariff_id, , price, oldPrice]) =>
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

/** As long as the configurations' tariffs and with their discounts, where the shortest costs this. */
export const insertTariffs = async (
  tx: Db,
  sold: {
    readonly product: 'cloud_servers'
    readonly productId: number
    readonly first: number
    readonly price: number
  },
): Promise<void> => {
  const scaled = (roubles: number) => Math.round((roubles * sold.price) / tariffs[0][2])
  for (const [n, days, roubles, old] of tariffs) {
    const id = sold.first + n
    await tx
      .insertInto('tariffs')
      .values({ id, product: sold.product, product_id: sold.productId, days })
      .execute()
    const prices = methods.map(([payment_method_id, , , , currency]) => ({
      tariff_id: id,
      payment_method_id,
      price: inCurrency(scaled(roubles), currency),
      old_price: old === null ? null : inCurrency(scaled(old), currency),
    }))
    await tx.insertInto('tariff_prices').values(prices).execute()
  }
}

/** Once their servers are there: one in each of the option's locations. */
export const insertOptions = async (tx: Db, now: number): Promise<void> => {
  for (const {
    id,
    key,
    title,
    caption,
    description,
    protocol,
    deviceLimit,
    trafficLimit,
    mostDevices,
    mostTraffic,
    ...option
  } of options) {
    await tx
      .insertInto('paid_options')
      .values({
        id,
        key,
        title_ru: title.ru,
        title_en: title.en,
        caption_ru: caption.ru,
        caption_en: caption.en,
        description_ru: description.ru,
        description_en: description.en,
        protocol,
        device_limit: deviceLimit,
        traffic_limit: trafficLimit,
        most_devices: mostDevices,
        most_traffic: mostTraffic,
        created_at: now,
      })
      .execute()
    await sql`
      insert into paid_option_servers (option_id, server_id, position)
      select ${id}::bigint, min(s.id), array_position(${option.locationIds}::bigint[], s.location_id) - 1
      from servers s where s.location_id = any(${option.locationIds}::bigint[]) group by s.location_id`.execute(
      tx,
    )
  }
  // Those that an operator makes are numbered on from these.
  await sql`select setval(pg_get_serial_sequence('paid_options', 'id'), ${options.length}::bigint)`.execute(
    tx,
  )
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
