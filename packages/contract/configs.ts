import Type from 'typebox'
import { per, table } from './operation.ts'
import { Closed, Id, optionFields, PaymentMethod, Promocode, ProtocolValue, UserConfig } from './shapes.ts'

const BuyConfigBody = Closed({
  location_id: Type.Optional(Id),
  protocol: Type.Optional(ProtocolValue),
  server_id: Type.Optional(Id),
  payment_method_id: Type.Optional(Id),
  tariff_id: Type.Optional(Id),
  promocode: Type.Optional(Promocode),
  ...optionFields,
  as_key: Type.Optional(Type.Boolean()),
  enable_auto_renewal: Type.Optional(Type.Boolean()),
})

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
    response: { 201: UserConfig },
    errors: [
      'INSUFFICIENT_BALANCE',
      'PROMOCODE_INVALID',
      'NO_SERVER_AVAILABLE',
      'PAYMENT_METHOD_UNAVAILABLE',
      'CONFLICT',
    ],
    idempotent: true,
  },
})
