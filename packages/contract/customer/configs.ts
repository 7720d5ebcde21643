import Type from 'typebox'
import { per, table } from '../operation.ts'
import { Closed, ExpiresAt, field, Id, ProtocolValue, pageOf, stated } from '../shapes.ts'
import { bridgeRows } from './bridges.ts'
import { ConfigId, engineRows, ServerWish, settingsRows } from './config-changes.ts'
import { EnableAutoRenewal, payment, promocodeOr } from './payment-fields.ts'
import {
  AvailableServer,
  BoughtKey,
  LocationId,
  PaymentLink,
  PaymentMethod,
  ServerStats,
  UserConfig,
} from './shapes.ts'
import { subconfigRows } from './subconfigs.ts'
import { switchFields } from './switch-fields.ts'

/** Whoever buys a key leaves it to its user where and how. */
const placeUnlessKey = {
  anyOf: [
    { required: ['location_id', 'protocol'] },
    { required: ['as_key'], properties: { as_key: { const: true } } },
  ],
}

const BuyConfigBody = Closed(
  {
    location_id: Type.Optional(LocationId),
    protocol: Type.Optional(ProtocolValue),
    server_id: ServerWish,
    ...payment,
    ...switchFields,
    as_key: field(Type.Optional(Type.Boolean()), {
      en: 'Buy an activation key; without it location_id and protocol are required',
      ru: 'Купить ключ активации; без него location_id и protocol обязательны',
    }),
    enable_auto_renewal: EnableAutoRenewal,
  },
  stated({ allOf: [promocodeOr(['payment_method_id', 'tariff_id']), placeUnlessKey] }),
)

export const configs = table({
  listConfigs: {
    method: 'GET',
    path: '/configs',
    summary: {
      en: 'VPN configurations of the account, oldest first',
      ru: 'VPN-конфигурации аккаунта, сначала старые',
    },
    auth: 'customer',
    limit: 'global',
    request: {
      query: Closed(pageOf(1000)),
    },
    response: { 200: Type.Array(UserConfig) },
    errors: [],
  },
  listConfigTariffs: {
    method: 'GET',
    path: '/configs/tariffs',
    summary: {
      en: "Payment methods with the customer's own prices",
      ru: 'Способы оплаты с ценами именно для этого клиента',
    },
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: Type.Array(PaymentMethod) },
    errors: [],
  },
  listAvailableServers: {
    method: 'GET',
    path: '/configs/available-servers',
    summary: {
      en: 'Servers of a location that can take a configuration of the protocol now',
      ru: 'Серверы локации, которые сейчас примут конфигурацию с этим протоколом',
    },
    auth: 'customer',
    limit: per(5, 5),
    request: { query: Closed({ location_id: LocationId, protocol: ProtocolValue }) },
    response: {
      200: Type.Array(AvailableServer),
    },
    errors: [],
  },
  buyConfig: {
    method: 'POST',
    path: '/configs',
    summary: {
      en: 'Buy a configuration: by balance or promocode at once, otherwise through a payment link',
      ru: 'Купить конфигурацию: с баланса или по промокоду сразу, иначе по ссылке на оплату',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: { body: BuyConfigBody },
    example: { body: { location_id: 1, protocol: 'vless', payment_method_id: 1, tariff_id: 1 } },
    guesses: 'promocode',
    obtainsLink: true,
    response: { 201: Type.Union([UserConfig, PaymentLink, BoughtKey]) },
    errors: [
      'INSUFFICIENT_BALANCE',
      'INSUFFICIENT_REFERRAL_BALANCE',
      'PROMOCODE_INVALID',
      'NO_SERVER_AVAILABLE',
      'PAYMENT_METHOD_UNAVAILABLE',
      'CONFLICT',
    ],
    idempotent: true,
  },
  showServerStats: {
    method: 'GET',
    path: '/configs/:config_id/serverStats',
    summary: {
      en: "Load of the configuration's server over the last 30 days",
      ru: 'Нагрузка сервера конфигурации за последние 30 дней',
    },
    auth: 'customer',
    limit: per(3, 5),
    request: { params: ConfigId },
    response: { 200: ServerStats },
    errors: ['NOT_FOUND'],
  },
  renewConfig: {
    method: 'POST',
    path: '/configs/renewal/:config_id',
    summary: {
      en: 'Prolong a configuration; the tariff bought last when none is named',
      ru: 'Продлить конфигурацию; если тариф не назван — последний купленный',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: {
      params: ConfigId,
      body: Closed(
        {
          ...payment,
          enable_auto_renewal: EnableAutoRenewal,
        },
        stated(promocodeOr(['payment_method_id'])),
      ),
    },
    example: { body: { payment_method_id: 1, tariff_id: 1 } },
    guesses: 'promocode',
    obtainsLink: true,
    response: {
      201: Type.Union([Closed({ id: field(Id, { example: 1 }), expires_at: ExpiresAt }), PaymentLink]),
    },
    errors: [
      'NOT_FOUND',
      'INSUFFICIENT_BALANCE',
      'INSUFFICIENT_REFERRAL_BALANCE',
      'PROMOCODE_INVALID',
      'NO_SERVER_AVAILABLE',
      'PAYMENT_METHOD_UNAVAILABLE',
      'CONFLICT',
    ],
    idempotent: true,
  },
  ...settingsRows,
  ...bridgeRows,
  ...engineRows,
  ...subconfigRows,
})
