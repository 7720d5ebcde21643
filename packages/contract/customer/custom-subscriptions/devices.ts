import Type from 'typebox'
import { per, table } from '../../operation.ts'
import { Closed, field, Id } from '../../shapes.ts'
import { DeviceSettings, DeviceSettingsChange, DevicesQuery } from '../devices.ts'
import { SubscriptionDevice, SubscriptionId } from './shapes.ts'

/** Part of the operations on custom subscriptions: devices that fetch one. */

const ById = Closed({ id: SubscriptionId })
const ByDevice = Closed({ id: SubscriptionId, deviceId: Id })

export const subscriptionDeviceRows = table({
  listSubscriptionDevices: {
    method: 'GET',
    path: '/profile/custom-subscriptions/:id/devices',
    summary: {
      en: 'Devices that fetched the subscription, the latest seen first',
      ru: 'Устройства, которые получали подписку, сначала недавние',
    },
    auth: 'customer',
    limit: 'global',
    request: { params: ById, query: DevicesQuery },
    response: {
      200: Closed({
        devices: Type.Array(SubscriptionDevice),
        total: Type.Integer(),
        page: Type.Integer(),
        limit: field(Type.Integer(), { example: 20 }),
      }),
    },
    errors: ['NOT_FOUND'],
  },
  showSubscriptionDeviceSettings: {
    method: 'GET',
    path: '/profile/custom-subscriptions/:id/devices/settings',
    summary: {
      en: 'How many devices may fetch this subscription, and whether new ones may',
      ru: 'Сколько устройств могут получать эту подписку и пускать ли новые',
    },
    auth: 'customer',
    limit: 'global',
    request: { params: ById },
    response: { 200: DeviceSettings },
    errors: ['NOT_FOUND'],
  },
  changeSubscriptionDeviceSettings: {
    method: 'PATCH',
    path: '/profile/custom-subscriptions/:id/devices/settings',
    summary: {
      en: 'Limit devices of this subscription, or refuse those not seen before; what is left out stays',
      ru: 'Ограничить число устройств этой подписки или не пускать незнакомые; неназванное остаётся как было',
    },
    auth: 'customer',
    limit: per(3, 1),
    request: { params: ById, body: DeviceSettingsChange },
    example: { body: { device_limit: 5, block_unknown_devices: false } },
    response: { 200: DeviceSettings },
    errors: ['NOT_FOUND'],
  },
  blockSubscriptionDevice: {
    method: 'PATCH',
    path: '/profile/custom-subscriptions/:id/devices/:deviceId/blocked',
    summary: {
      en: 'Refuse a device of the subscription, or let it in again',
      ru: 'Не пускать устройство подписки или снова пустить',
    },
    auth: 'customer',
    limit: per(3, 1),
    request: { params: ByDevice, body: Closed({ is_blocked: Type.Boolean() }) },
    response: { 200: Type.Literal(true) },
    errors: ['NOT_FOUND', 'DEVICE_NOT_FOUND'],
  },
  deleteSubscriptionDevice: {
    method: 'DELETE',
    path: '/profile/custom-subscriptions/:id/devices/:deviceId',
    summary: {
      en: 'Forget a device of the subscription; its place is free again',
      ru: 'Забыть устройство подписки; его место освобождается',
    },
    auth: 'customer',
    limit: per(3, 1),
    request: { params: ByDevice },
    response: { 200: Type.Literal(true) },
    errors: ['NOT_FOUND', 'DEVICE_NOT_FOUND'],
  },
  deleteSubscriptionDevices: {
    method: 'DELETE',
    path: '/profile/custom-subscriptions/:id/devices',
    summary: {
      en: 'Forget all devices of the subscription',
      ru: 'Забыть все устройства подписки',
    },
    auth: 'customer',
    limit: per(1, 2),
    request: { params: ById },
    response: { 200: Closed({ deleted_count: field(Type.Integer(), { example: 3 }) }) },
    errors: ['NOT_FOUND'],
  },
})
