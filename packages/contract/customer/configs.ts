import Type from 'typebox'
import { per, table } from '../operation.ts'
import {
  AutoRenewal,
  BoughtKey,
  Closed,
  Connection,
  Id,
  Nullable,
  optionFields,
  PaymentLink,
  PaymentMethod,
  Promocode,
  ProtocolValue,
  ServerStats,
  SettledConnection,
  stated,
  UnixSeconds,
  UserConfig,
} from '../shapes.ts'
import { Title } from '../visible-text.ts'
import { awgFields } from './awg-shapes.ts'
import { bridgeRows } from './bridges.ts'
import { subconfigRows } from './subconfigs.ts'

const ConfigId = Closed({ config_id: Id })
/** Of an Xray configuration that a customer writes: its text in UTF-8, and the body that the text comes in. */
export const xrayConfigTextLimitBytes = 64 * 1024
export const xrayConfigBodyLimitBytes = 128 * 1024

/** Either a promocode, or a payment method with what it needs: never both, never neither. */
const promocodeOr = (needed: readonly string[]) => ({
  oneOf: [
    {
      title: 'With a promocode',
      required: ['promocode'],
      not: { anyOf: [{ required: ['payment_method_id'] }, { required: ['tariff_id'] }] },
    },
    { title: 'With a payment method', required: needed, not: { required: ['promocode'] } },
  ],
})

/** Whoever buys a key leaves it to its user where and how. */
const placeUnlessKey = {
  anyOf: [
    { required: ['location_id', 'protocol'] },
    { required: ['as_key'], properties: { as_key: { const: true } } },
  ],
}

const BuyConfigBody = Closed(
  {
    location_id: Type.Optional(Id),
    protocol: Type.Optional(ProtocolValue),
    server_id: Type.Optional(Id),
    payment_method_id: Type.Optional(Id),
    tariff_id: Type.Optional(Id),
    promocode: Type.Optional(Promocode),
    ...optionFields,
    as_key: Type.Optional(Type.Boolean()),
    enable_auto_renewal: Type.Optional(Type.Boolean()),
  },
  stated({ allOf: [promocodeOr(['payment_method_id', 'tariff_id']), placeUnlessKey] }),
)

export const configs = table({
  listConfigs: {
    method: 'GET',
    path: '/configs',
    summary: 'VPN configurations of the account, oldest first',
    auth: 'customer',
    limit: 'global',
    request: {
      query: Closed({
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
        offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      }),
    },
    response: { 200: Type.Array(UserConfig) },
    errors: [],
  },
  listConfigTariffs: {
    method: 'GET',
    path: '/configs/tariffs',
    summary: "Payment methods with the customer's own prices",
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: Type.Array(PaymentMethod) },
    errors: [],
  },
  listAvailableServers: {
    method: 'GET',
    path: '/configs/available-servers',
    summary: 'Servers of a location that can take a configuration of the protocol now',
    auth: 'customer',
    limit: per(5, 5),
    request: { query: Closed({ location_id: Id, protocol: ProtocolValue }) },
    response: { 200: Type.Array(Closed({ id: Id, available_slots: Type.Integer({ minimum: 0 }) })) },
    errors: [],
  },
  buyConfig: {
    method: 'POST',
    path: '/configs',
    summary: 'Buy a configuration: by balance or promocode at once, otherwise through a payment link',
    auth: 'customer',
    limit: per(1, 1),
    request: { body: BuyConfigBody },
    takesPromocode: true,
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
    summary: "Load of the configuration's server over the last 30 days",
    auth: 'customer',
    limit: per(3, 5),
    request: { params: ConfigId },
    response: { 200: ServerStats },
    errors: ['NOT_FOUND'],
  },
  renewConfig: {
    method: 'POST',
    path: '/configs/renewal/:config_id',
    summary: 'Prolong a configuration; the tariff bought last when none is named',
    auth: 'customer',
    limit: per(1, 1),
    request: {
      params: ConfigId,
      body: Closed(
        {
          payment_method_id: Type.Optional(Id),
          tariff_id: Type.Optional(Id),
          promocode: Type.Optional(Promocode),
          enable_auto_renewal: Type.Optional(Type.Boolean()),
        },
        stated(promocodeOr(['payment_method_id'])),
      ),
    },
    takesPromocode: true,
    response: { 201: Type.Union([Closed({ id: Id, expires_at: UnixSeconds }), PaymentLink]) },
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
  changeConfigSettings: {
    method: 'PATCH',
    path: '/configs/:config_id/settings',
    summary:
      'Move a configuration to another location, server or protocol, or change its options; what is not named stays',
    auth: 'customer',
    limit: per(1, 1),
    request: {
      params: ConfigId,
      body: Closed({
        location_id: Id,
        protocol: ProtocolValue,
        server_id: Type.Optional(Id),
        ...optionFields,
      }),
    },
    response: { 200: SettledConnection },
    errors: ['NOT_FOUND', 'NO_SERVER_AVAILABLE'],
  },
  ...bridgeRows,
  changeXrayConfig: {
    method: 'PATCH',
    path: '/configs/:config_id/XrayConfig',
    summary: 'Replace the JSON of the personal Xray; what is not allowed is refused by name',
    auth: 'customer',
    limit: per(1, 1),
    request: {
      params: ConfigId,
      body: Closed({
        xray_config: Type.String({ minLength: 2, maxLength: xrayConfigTextLimitBytes }),
        public_key: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
      }),
    },
    response: { 200: Connection },
    errors: ['NOT_FOUND', 'CONFLICT'],
    bodyLimitBytes: xrayConfigBodyLimitBytes,
  },
  resetXrayConfig: {
    method: 'POST',
    path: '/configs/:config_id/resetXrayConfig',
    summary: 'Back to the JSON that follows from the options, without a bridge',
    auth: 'customer',
    limit: per(1, 4),
    request: { params: ConfigId },
    response: { 200: Connection },
    errors: ['NOT_FOUND'],
  },
  changeAwgConfig: {
    method: 'PATCH',
    path: '/configs/:config_id/awgConfig',
    summary: 'Tune the AmneziaWG interface of a configuration',
    auth: 'customer',
    limit: per(1, 1),
    request: { params: ConfigId, body: Closed(awgFields) },
    response: { 200: Connection },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  changeConfigTitle: {
    method: 'PATCH',
    path: '/configs/title/:config_id',
    summary: 'Name a configuration, or take its name away',
    auth: 'customer',
    limit: per(1, 1),
    request: { params: ConfigId, body: Closed({ title: Nullable(Title) }) },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
  switchAutoRenewal: {
    method: 'PATCH',
    path: '/configs/:config_id/auto-renewal',
    summary: 'Switch auto-renewal on for a number of days, or off',
    auth: 'customer',
    limit: per(1, 1),
    request: {
      params: ConfigId,
      body: Closed(
        {
          enabled: Type.Boolean(),
          days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
        },
        stated({ anyOf: [{ required: ['days'] }, { properties: { enabled: { const: false } } }] }),
      ),
    },
    response: { 200: AutoRenewal },
    errors: ['NOT_FOUND'],
  },
  ...subconfigRows,
})
