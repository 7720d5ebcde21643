import Type from 'typebox'
import { per, table } from '../operation.ts'
import { Closed, field, howMany, Id, UnixSeconds } from '../shapes.ts'
import { SubscriptionKey } from './account-shapes.ts'

/** Devices that fetch the account's subscription. */

export const deviceTypes = ['ios', 'android', 'windows', 'macos', 'linux'] as const

export const DeviceLimit = field(Type.Integer({ minimum: 0, maximum: 100 }), {
  en: '0 means unlimited',
  ru: '0 — без ограничения',
  example: 5,
})

export const DeviceSettings = Closed({
  block_unknown_devices: field(Type.Boolean(), { example: false }),
  device_limit: DeviceLimit,
})

export const DeviceSettingsChange = Closed({
  block_unknown_devices: field(Type.Optional(Type.Boolean()), {
    en: 'Refuse devices not seen before',
    ru: 'Не пускать незнакомые устройства',
  }),
  device_limit: Type.Optional(DeviceLimit),
})

export const DevicesQuery = Closed({
  page: field(Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })), {
    en: 'Number of the page, from 1',
    ru: 'Номер страницы, с 1',
  }),
  limit: field(Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })), howMany),
})

export const DeviceType = Type.Enum([...deviceTypes])

/** What is told of a device of whatever subscription. */
export const device = {
  device_name: field(Type.String(), { example: 'iPhone 15' }),
  os_version: field(Type.String(), { example: '18.1' }),
  is_blocked: field(Type.Boolean(), { example: false }),
  last_seen_at: field(UnixSeconds, {
    en: 'When it was last heard of, Unix time in seconds',
    ru: 'Когда последний раз выходило на связь, время Unix в секундах',
  }),
}

const AccountDevice = Closed({
  id: Id,
  device_name: device.device_name,
  device_type: DeviceType,
  os_version: device.os_version,
  is_blocked: device.is_blocked,
  is_fingerprinted: field(Type.Boolean(), {
    en: 'The app names no device, and is known by its own name and system; false of those that send an identifier',
    ru: 'Приложение не называет устройство, его узнают по названию и системе; false у тех, кто присылает идентификатор',
    example: false,
  }),
  last_seen_at: device.last_seen_at,
})

const ById = Closed({ id: Id })

export const devices = table({
  listDevices: {
    method: 'GET',
    path: '/profile/devices',
    summary: {
      en: 'Devices of the account, the latest seen first, with the settings',
      ru: 'Устройства аккаунта, сначала недавние, и их настройки',
    },
    auth: 'customer',
    limit: 'global',
    request: { query: DevicesQuery },
    response: {
      200: Closed({
        devices: Type.Array(AccountDevice),
        total: Type.Integer(),
        page: Type.Integer(),
        limit: field(Type.Integer(), { example: 20 }),
        settings: DeviceSettings,
      }),
    },
    errors: [],
  },
  showDeviceSettings: {
    method: 'GET',
    path: '/profile/devices/settings',
    summary: {
      en: 'How many devices may fetch the subscription, and whether new ones may',
      ru: 'Сколько устройств могут получать подписку и пускать ли новые',
    },
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: DeviceSettings },
    errors: [],
  },
  changeDeviceSettings: {
    method: 'PATCH',
    path: '/profile/devices/settings',
    summary: {
      en: 'Limit devices, or refuse those not seen before; what is left out stays',
      ru: 'Ограничить число устройств или не пускать незнакомые; неназванное остаётся как было',
    },
    auth: 'customer',
    limit: per(5, 1),
    request: { body: DeviceSettingsChange },
    example: { body: { device_limit: 5, block_unknown_devices: false } },
    response: { 200: DeviceSettings },
    errors: [],
  },
  blockDevice: {
    method: 'PATCH',
    path: '/profile/devices/:id/blocked',
    summary: { en: 'Refuse a device, or let it in again', ru: 'Не пускать устройство или снова пустить' },
    auth: 'customer',
    limit: per(5, 1),
    request: { params: ById, body: Closed({ is_blocked: Type.Boolean() }) },
    response: { 200: Type.Literal(true) },
    errors: ['DEVICE_NOT_FOUND'],
  },
  deleteDevice: {
    method: 'DELETE',
    path: '/profile/devices/:id',
    summary: {
      en: 'Forget a device; its place is free again',
      ru: 'Забыть устройство; его место освобождается',
    },
    auth: 'customer',
    limit: per(5, 1),
    request: { params: ById },
    response: { 200: Type.Literal(true) },
    errors: ['DEVICE_NOT_FOUND'],
  },
  deleteAllDevices: {
    method: 'DELETE',
    path: '/profile/devices',
    summary: {
      en: 'Forget all devices; answers how many there were',
      ru: 'Забыть все устройства; в ответе — сколько их было',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: {},
    response: { 200: Type.Integer() },
    errors: [],
  },
  resetSubscriptionLink: {
    method: 'PATCH',
    path: '/profile/subscriptionLink',
    summary: {
      en: 'A new subscription key; the old one stops working at once, all devices are forgotten, and the configurations of paid options get new credentials',
      ru: 'Новый ключ подписки; старый сразу перестаёт работать, все устройства забыты, у конфигураций платных опций новые ключи подключения',
    },
    auth: 'customer',
    limit: per(2, 60),
    request: {},
    response: { 200: SubscriptionKey },
    errors: [],
  },
})
