import Type from 'typebox'
import { per, table } from '../operation.ts'
import { Closed, Id, UnixSeconds } from '../shapes.ts'

/** Devices that fetch the account's subscription. */

export const deviceTypes = ['ios', 'android', 'windows', 'macos', 'linux'] as const

const DeviceLimit = Type.Integer({ minimum: 0, maximum: 100, description: '0 means unlimited' })

export const DeviceSettings = Closed({
  block_unknown_devices: Type.Boolean(),
  device_limit: DeviceLimit,
})

const AccountDevice = Closed({
  id: Id,
  device_name: Type.String(),
  device_type: Type.Enum([...deviceTypes]),
  os_version: Type.String(),
  is_blocked: Type.Boolean(),
  is_fingerprinted: Type.Boolean(),
  last_seen_at: UnixSeconds,
})

const ById = Closed({ id: Id })

export const devices = table({
  listDevices: {
    method: 'GET',
    path: '/profile/devices',
    summary: 'Devices of the account, the latest seen first, with the settings',
    auth: 'customer',
    limit: 'global',
    request: {
      query: Closed({
        page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
      }),
    },
    response: {
      200: Closed({
        devices: Type.Array(AccountDevice),
        total: Type.Integer(),
        page: Type.Integer(),
        limit: Type.Integer(),
        settings: DeviceSettings,
      }),
    },
    errors: [],
  },
  showDeviceSettings: {
    method: 'GET',
    path: '/profile/devices/settings',
    summary: 'How many devices may fetch the subscription, and whether new ones may',
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: DeviceSettings },
    errors: [],
  },
  changeDeviceSettings: {
    method: 'PATCH',
    path: '/profile/devices/settings',
    summary: 'Limit devices, or refuse those not seen before; what is left out stays',
    auth: 'customer',
    limit: per(5, 1),
    request: {
      body: Closed({
        block_unknown_devices: Type.Optional(Type.Boolean()),
        device_limit: Type.Optional(DeviceLimit),
      }),
    },
    response: { 200: DeviceSettings },
    errors: [],
  },
  blockDevice: {
    method: 'PATCH',
    path: '/profile/devices/:id/blocked',
    summary: 'Refuse a device, or let it in again',
    auth: 'customer',
    limit: per(5, 1),
    request: { params: ById, body: Closed({ is_blocked: Type.Boolean() }) },
    response: { 200: Type.Literal(true) },
    errors: ['DEVICE_NOT_FOUND'],
  },
  deleteDevice: {
    method: 'DELETE',
    path: '/profile/devices/:id',
    summary: 'Forget a device; its place is free again',
    auth: 'customer',
    limit: per(5, 1),
    request: { params: ById },
    response: { 200: Type.Literal(true) },
    errors: ['DEVICE_NOT_FOUND'],
  },
  deleteAllDevices: {
    method: 'DELETE',
    path: '/profile/devices',
    summary: 'Forget all devices; answers how many there were',
    auth: 'customer',
    limit: per(1, 1),
    request: {},
    response: { 200: Type.Integer() },
    errors: [],
  },
  resetSubscriptionLink: {
    method: 'PATCH',
    path: '/profile/subscriptionLink',
    summary: 'A new subscription key; the old one stops working at once and all devices are forgotten',
    auth: 'customer',
    limit: per(2, 60),
    request: {},
    response: { 200: Type.String() },
    errors: [],
  },
})
