import { type OptionName, optionNames } from '../shapes.ts'
import { identityNotes, identityRequestNotes, identityTranslations } from './notes-identity.ts'
import { moneyNotes, moneyRequestNotes, moneyTranslations } from './notes-money.ts'

/** What fields mean, by name: a name means the same thing in every operation, save for the direction. */

export type Direction = 'request' | 'response'

export interface Note {
  readonly ru: string
  readonly en: string
}

export type Notes = Readonly<Record<string, Note>>

const optionNotes: Readonly<Record<OptionName, Note>> = {
  use_extended_settings: {
    ru: 'Личный экземпляр Xray; нужен большинству опций. Протокол vless или vless-2410',
    en: 'A personal Xray instance; most options need it. Protocol vless or vless-2410',
  },
  use_warp: {
    ru: 'Выход через WARP. Нужен use_extended_settings',
    en: 'Go out through WARP. Needs use_extended_settings',
  },
  disable_flow_reality: {
    ru: 'Без vision. Несовместимо с use_xhttp и use_grpc',
    en: 'No vision flow. Not with use_xhttp or use_grpc',
  },
  disable_reality: {
    ru: 'TLS вместо REALITY. Нужен use_extended_settings',
    en: 'TLS instead of REALITY. Needs use_extended_settings',
  },
  change_sni: {
    ru: 'Другой сайт-прикрытие. Нужен use_extended_settings; не для vless-2410',
    en: 'Another borrowed site. Needs use_extended_settings; not for vless-2410',
  },
  block_local_network: {
    ru: 'Закрыть доступ к локальной сети. Нужен use_extended_settings',
    en: 'No access to the local network. Needs use_extended_settings',
  },
  disable_sni: { ru: 'Без SNI; не для vless-2410', en: 'No SNI; not for vless-2410' },
  enable_family_filter: {
    ru: 'Семейный DNS. Нужен use_extended_settings',
    en: 'Family DNS. Needs use_extended_settings',
  },
  pass_all_traffic_through_vpn: {
    ru: 'Адреса самой страны тоже через VPN. Локация 18, протокол vless, нужен use_extended_settings',
    en: "The country's own addresses go through the VPN too. Location 18, protocol vless, needs use_extended_settings",
  },
  block_bittorrent: {
    ru: 'Запретить BitTorrent. Нужен use_extended_settings',
    en: 'No BitTorrent. Needs use_extended_settings',
  },
  use_xhttp: {
    ru: 'Транспорт XHTTP. Нужен use_extended_settings; несовместимо с use_grpc',
    en: 'XHTTP transport. Needs use_extended_settings; not with use_grpc',
  },
  use_grpc: {
    ru: 'Транспорт gRPC. Нужен use_extended_settings; несовместимо с use_xhttp',
    en: 'gRPC transport. Needs use_extended_settings; not with use_xhttp',
  },
}

const padding = (packet: Note, most: number): Note => ({
  ru: `Сколько байт добавить к пакету ${packet.ru}: не больше ${most}, и чтобы длины четырёх пакетов различались`,
  en: `Bytes added to the ${packet.en} packet: at most ${most}, and so that the four packets differ in length`,
})

const paddingNotes: Notes = {
  s1: padding({ ru: 'начала рукопожатия', en: 'initiation' }, 1132),
  s2: padding({ ru: 'ответа', en: 'response' }, 1188),
  s3: padding({ ru: 'cookie', en: 'cookie' }, 1216),
  s4: padding({ ru: 'данных', en: 'data' }, 864),
}

const headerNote: Note = {
  ru: 'Заголовок вида пакетов; все четыре различны',
  en: 'Header of a kind of packet; all four differ',
}
const headerNotes: Notes = { h1: headerNote, h2: headerNote, h3: headerNote, h4: headerNote }

const requestNotes: Notes = {
  ...optionNotes,
  ...moneyRequestNotes,
  ...identityRequestNotes,
  limit: { ru: 'Сколько записей вернуть', en: 'How many to return' },
  offset: { ru: 'Сколько записей пропустить', en: 'How many to skip' },
  location_id: { ru: 'Из списка локаций', en: 'From the list of locations' },
  server_id: {
    ru: 'Желаемый сервер; если он заполнен или не на связи, берётся другой в этой локации. Без него сервер подбирается сам',
    en: 'A preferred server; one that is full or offline gives way to another of the location. Chosen automatically when left out',
  },
  payment_method_id: {
    ru: 'Из списка способов оплаты; при покупке — вместе с tariff_id, если нет промокода',
    en: 'From the list of payment methods; to buy, together with tariff_id, unless a promocode is given',
  },
  tariff_id: { ru: 'Из списка тарифов этого способа оплаты', en: 'From the tariffs of that payment method' },
  promocode: {
    ru: 'Вместо payment_method_id и tariff_id',
    en: 'Instead of payment_method_id and tariff_id',
  },
  as_key: {
    ru: 'Купить ключ активации; без него location_id и protocol обязательны',
    en: 'Buy an activation key; without it location_id and protocol are required',
  },
  enable_auto_renewal: { ru: 'Сразу включить автопродление', en: 'Switch auto-renewal on at once' },
  first_type: { ru: 'Чем является вход; по умолчанию config', en: 'What the entry is; config by default' },
  second_type: { ru: 'Чем является выход; по умолчанию config', en: 'What the exit is; config by default' },
  xray_config: {
    ru: 'JSON личного Xray, как его вернул сервис, с вашими правками; не больше 64 КиБ. Ключи — в любом Base64',
    en: 'JSON of the personal Xray, as the service gave it, with your changes; 64 KiB at most. Keys in any Base64',
  },
  bridge_id: { ru: 'Из списка мостов', en: 'From the list of bridges' },
  public_key: {
    ru: 'Если указан, должен соответствовать privateKey; в любом Base64',
    en: 'When given, it must belong to the privateKey; in any Base64',
  },
  title: { ru: 'null убирает название', en: 'null takes the name away' },
  days: {
    ru: 'На сколько дней: длина одного из тарифов; при включении автопродления обязательно',
    en: 'For how many days: the length of one of the tariffs; needed to switch auto-renewal on',
  },
  tls_domain: {
    ru: 'Сайт-прикрытие для mtproto; должен вести только на публичные адреса',
    en: 'The site that mtproto hides behind; it must lead to public addresses only',
  },
  port: { ru: 'UDP-порт интерфейса', en: 'UDP port of the interface' },
  jc: {
    ru: 'Число мусорных пакетов; 128 отправляются как 127, больше движку не взять',
    en: 'Number of junk packets; 128 are sent as 127, the most the engine takes',
  },
  jmin: { ru: 'Наименьший мусорный пакет; не больше jmax', en: 'Smallest junk packet; not above jmax' },
  jmax: { ru: 'Наибольший мусорный пакет', en: 'Largest junk packet' },
  ...paddingNotes,
  ...headerNotes,
  referral_code: { ru: 'Код того, кто пригласил', en: 'Code of the customer who invited this one' },
  product_id: { ru: 'Один продукт вместо всех этого типа', en: 'One product instead of all of that type' },
  since: { ru: 'Ревизия, которая уже применена', en: 'The revision already applied' },
  wait_seconds: { ru: 'Сколько ждать изменений', en: 'How long to wait for a change' },
}

const notes: Notes = {
  ...moneyNotes,
  ...identityNotes,
  balance: { ru: 'В рублях', en: 'In roubles' },
  referral_balance: { ru: 'В рублях', en: 'In roubles' },
  content: { ru: 'Текст сообщения', en: 'Text of the message' },
  capacity: { ru: 'Сколько конфигураций вмещает', en: 'How many configurations it holds' },
  reality_target: {
    ru: 'host:port сайта, которым прикрывается REALITY',
    en: 'host:port of the site REALITY borrows',
  },
  first_config_id: { ru: 'Вход: сюда подключается клиент', en: 'The entry: where the client connects' },
  second_config_id: { ru: 'Выход: отсюда трафик идёт в сеть', en: 'The exit: where traffic leaves' },
  first_type: { ru: 'Чем является вход', en: 'What the entry is' },
  second_type: { ru: 'Чем является выход', en: 'What the exit is' },
  connection_url: { ru: 'Ссылка для VPN-приложения', en: 'Link for the VPN app' },
  expires_at: { ru: 'Когда закончится, время Unix в секундах', en: 'When it ends, Unix time in seconds' },
  created_at: { ru: 'Когда создано, время Unix в секундах', en: 'When it was made, Unix time in seconds' },
  last_used_at: {
    ru: 'Когда использован последний раз, время Unix в секундах',
    en: 'When it was last used, Unix time in seconds',
  },
  last_seen_at: {
    ru: 'Когда последний раз выходил на связь, время Unix в секундах',
    en: 'When it was last heard of, Unix time in seconds',
  },
  is_online: { ru: 'Отвечает ли сервер', en: 'Whether the server answers' },
  private_key: {
    ru: '43 символа, как пишет Xray, но без «-» и «_»: такой ключ прочтёт любой Base64',
    en: '43 characters as Xray writes them, yet without "-" and "_": any Base64 reader takes it',
  },
  public_key: { ru: 'В той же записи, что private_key', en: 'Written like private_key' },
  xray_config: { ru: 'Есть при расширенных настройках', en: 'Present with extended settings' },
  awg_config: { ru: 'Файл .conf для AmneziaWG', en: 'The .conf file for AmneziaWG' },
  options: {
    ru: 'Включённые опции; нет поля — не включена ни одна',
    en: 'The options that are on; left out when none is',
  },
  flags: { ru: 'Например, noChangeCountry', en: 'For example noChangeCountry' },
  auto_renewal_days: { ru: 'На сколько дней продлевать', en: 'For how many days it renews' },
  available_slots: { ru: 'Сколько мест свободно', en: 'How many places are free' },
  min_amount: { ru: 'Наименьшая сумма для этого способа', en: 'The smallest amount the method takes' },
  ping_ip: { ru: 'Адрес для измерения задержки', en: 'Address to measure the delay to' },
  subscription_key: { ru: 'Ключ ссылки /sub/…', en: 'Key of the /sub/… link' },
  pricing_rules: {
    ru: 'Есть, только если у клиента личные скидки или наценки',
    en: 'Present only when the customer has personal discounts or surcharges',
  },
  prefix: { ru: 'Открытая часть ключа', en: 'The public part of the key' },
  api_key: { ru: 'slp_<8>_<24>; показывается только здесь', en: 'slp_<8>_<24>; shown only here' },
}

/** Descriptions written in the schemas themselves. */
const translations: Readonly<Record<string, string>> = {
  'One of sbp, card, ton, usdt, stars, balance, promocode, referral':
    'Одно из: sbp, card, ton, usdt, stars, balance, promocode, referral',
  ...moneyTranslations,
  ...identityTranslations,
  'Unix time in seconds': 'Время Unix в секундах',
  'Price for this customer, in the currency of the method': 'Цена для этого клиента в валюте способа оплаты',
  'Previous price, for showing a discount': 'Прежняя цена, чтобы показать скидку',
  'Country code': 'Код страны',
  'YYYY-MM-DD': 'ГГГГ-ММ-ДД',
  'Mean of the day, percent': 'Среднее за день, проценты',
  'Mean of the day, Mbps': 'Среднее за день, Мбит/с',
  'Negative is a discount, positive a surcharge': 'Меньше нуля — скидка, больше — наценка',
  'Base64 (URL alphabet, no padding), as Xray reads it':
    'Base64 (URL-алфавит, без дополнения), как его читает Xray',
}

export const isOption = (name: string): boolean => optionNames.some((option) => option === name)

/** "Something or null" is told by what the something is. */
const nullableDescription = (schema: object): string | undefined =>
  (schema as { anyOf?: readonly { description?: string }[] }).anyOf?.[0]?.description

export const describeField = (
  name: string,
  schema: object,
  direction: Direction,
  language: keyof Note,
): string | undefined => {
  const own = direction === 'request' && Object.hasOwn(requestNotes, name) ? requestNotes[name] : undefined
  const note = own ?? (Object.hasOwn(notes, name) ? notes[name] : undefined)
  if (note) return note[language]
  const { description = nullableDescription(schema) } = schema as { description?: string }
  return language === 'ru' && description !== undefined
    ? (translations[description] ?? description)
    : description
}
