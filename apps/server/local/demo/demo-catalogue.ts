import { isIP } from 'node:net'
import { fromRoubles } from '@sallyport/domain/money/exchange'
import { shown } from '@sallyport/domain/money/money'
import type { Operate } from '../../operations/operate.ts'

/** What the demo sells, and where: as an operator would say it. */

const places = [
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
    'Стамбул; прокси MTProto — только на своём сервере',
    'Istanbul; MTProto proxies on your own server only',
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

/** Domain suffixes and a few of the largest networks of the country whose addresses leave directly. */
const home = {
  locationId: 18,
  domains: ['ru', 'su', 'xn--p1ai'],
  networks: ['5.255.192.0/18', '77.88.0.0/18', '87.240.128.0/18', '95.163.0.0/16', '213.180.192.0/19'],
}

/** Days, roubles, roubles before the discount. */
const lengths = [
  [30, 200, null],
  [90, 540, 600],
  [180, 990, 1200],
  [365, 1800, 2400],
] as const

/** One server of each of these locations is the option's; the price is that of 30 days in roubles. */
const options = [
  {
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

/** How strong machines are; the price is that of 30 days in roubles. */
const machines = [
  {
    title: { ru: 'Старт', en: 'Start' },
    description: { ru: '1 ядро, 2 ГБ памяти, 20 ГБ диска', en: '1 core, 2 GB of memory, 20 GB of disk' },
    price: 500,
  },
  {
    title: { ru: 'Профи', en: 'Pro' },
    description: { ru: '2 ядра, 4 ГБ памяти, 40 ГБ диска', en: '2 cores, 4 GB of memory, 40 GB of disk' },
    price: 900,
  },
] as const

/** Millionths of a rouble for one unit; the demo's rates hold until somebody changes them. */
const rates: Readonly<Record<string, number>> = { TON: 285_714_286, USDT: 90_909_091, XTR: 1_666_667 }

const serversPerLocation = 2
const serverCapacity = 200
const borrowedSite = 'www.microsoft.com'

export const demoNodeName = 'local'

interface Method {
  readonly id: number
  readonly currency: string
}

const inCurrency = (roubles: number, { currency }: Method): number =>
  shown(fromRoubles(roubles, currency, rates[currency] ?? 0), currency)

/** The usual lengths by every method, with their discounts, where the shortest costs this many roubles. */
const tariffsFrom = (methods: readonly Method[], price: number) => {
  const scaled = (roubles: number) => Math.round((roubles * price) / lengths[0][1])
  return lengths.map(([days, roubles, old]) => ({
    days,
    prices: methods.map((method) => ({
      payment_method_id: method.id,
      price: inCurrency(scaled(roubles), method),
      ...(old !== null && { old_price: inCurrency(scaled(old), method) }),
    })),
  }))
}

const layMethods = async (operate: Operate): Promise<readonly Method[]> => {
  const { payment_methods: methods } = await operate<{ payment_methods: Method[] }>('setUp')
  for (const [currency, microRub] of Object.entries(rates)) {
    await operate('setRate', { params: { currency }, body: { rub: microRub / 1_000_000, valid_hours: null } })
  }
  return methods
}

const layLocations = async (operate: Operate, address: string): Promise<void> => {
  for (const [id, code, title_ru, title_en, description_ru, description_en] of places) {
    await operate('createLocation', {
      body: {
        id,
        code,
        title_ru,
        title_en,
        description_ru,
        description_en,
        caption_ru: 'Демо',
        caption_en: 'Demo',
        ping_ip: isIP(address) > 0 ? address : null,
        ...(id === home.locationId && { home_domains: home.domains, home_networks: home.networks }),
      },
    })
  }
}

/** The first server of each location, by the location. */
const layServers = async (operate: Operate, nodeId: number): Promise<ReadonlyMap<number, number>> => {
  const first = new Map<number, number>()
  for (const [locationId, code] of places) {
    for (let n = 1; n <= serversPerLocation; n++) {
      const { id } = await operate<{ id: number }>('createServer', {
        body: {
          node_id: nodeId,
          location_id: locationId,
          capacity: serverCapacity,
          domain: `${code.toLowerCase()}${n}.sallyport.example`,
          reality_target: `${borrowedSite}:443`,
          reality_server_name: borrowedSite,
        },
      })
      if (n === 1) first.set(locationId, id)
    }
  }
  return first
}

const layOptions = async (
  operate: Operate,
  methods: readonly Method[],
  servers: ReadonlyMap<number, number>,
): Promise<void> => {
  for (const option of options) {
    await operate('createOption', {
      body: {
        key: option.key,
        title_ru: option.title.ru,
        title_en: option.title.en,
        caption_ru: option.caption.ru,
        caption_en: option.caption.en,
        description_ru: option.description.ru,
        description_en: option.description.en,
        protocol: option.protocol,
        device_limit: option.deviceLimit,
        traffic_limit: option.trafficLimit,
        most_devices: option.mostDevices,
        most_traffic: option.mostTraffic,
        server_ids: option.locationIds.map((id) => servers.get(id)),
        tariffs: tariffsFrom(methods, option.price),
      },
    })
  }
}

/** Cloud servers: the machine that the service runs on takes them all. */
const layClouds = async (operate: Operate, methods: readonly Method[], nodeId: number): Promise<void> => {
  const cloud = await operate<{ id: number }>('createCloud', {
    body: { kind: 'local', title: demoNodeName, node_id: nodeId },
  })
  for (const { title, description, price } of machines) {
    await operate('createCloudConfiguration', {
      body: {
        title_ru: title.ru,
        title_en: title.en,
        description_ru: description.ru,
        description_en: description.en,
        tariffs: tariffsFrom(methods, price),
        offers: places.map(([id]) => ({
          location_id: id,
          cloud_id: cloud.id,
          reality_server_name: borrowedSite,
        })),
      },
    })
  }
}

/** Everything there is to buy, on one node, which is answered. */
export const layCatalogue = async (
  operate: Operate,
  { address, listenAddress }: { readonly address: string; readonly listenAddress: string },
): Promise<number> => {
  const methods = await layMethods(operate)
  await layLocations(operate, address)
  await operate('changeConfigTariffs', { body: { tariffs: tariffsFrom(methods, lengths[0][1]) } })
  const node = await operate<{ id: number }>('createNode', {
    body: { name: demoNodeName, address, listen_address: listenAddress },
  })
  const servers = await layServers(operate, node.id)
  await layOptions(operate, methods, servers)
  await layClouds(operate, methods, node.id)
  return node.id
}
