import Type from 'typebox'
import { per, table } from '../../operation.ts'
import { Closed, field, Promocode, stated } from '../../shapes.ts'
import { AutoRenewalBody, EnableAutoRenewal, payment, promocodeOr } from '../payment-fields.ts'
import { AutoRenewal, LocationId, PaymentLink, PaymentMethodId, ServerStats } from '../shapes.ts'
import { cloudConfigRows } from './configs.ts'
import { cloudProxyRows } from './proxies.ts'
import {
  CloudLocation,
  CloudServer,
  CloudServerId,
  CloudTariff,
  RenewedServer,
  TariffConfigId,
} from './shapes.ts'

/** The specification's part "Cloud servers". */

const ByServer = Closed({ id: CloudServerId })

export const cloudServers = table({
  listCloudServers: {
    method: 'GET',
    path: '/cloud-servers',
    summary: { en: 'Cloud servers of the account', ru: 'Облачные серверы аккаунта' },
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: Type.Array(CloudServer) },
    errors: [],
  },
  listCloudLocations: {
    method: 'GET',
    path: '/cloud-servers/locations',
    summary: {
      en: 'Where a cloud server can be ordered, and how strong a one',
      ru: 'Где можно заказать облачный сервер и какой мощности',
    },
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: Type.Array(CloudLocation) },
    errors: [],
  },
  listCloudTariffs: {
    method: 'GET',
    path: '/cloud-servers/tariffs',
    summary: {
      en: "Machines on sale with the customer's own prices",
      ru: 'Машины в продаже с ценами именно для этого клиента',
    },
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: Type.Array(CloudTariff) },
    errors: [],
  },
  showCloudServerStats: {
    method: 'GET',
    path: '/cloud-servers/:id/serverStats',
    summary: {
      en: 'Load of a cloud server over the last 30 days',
      ru: 'Нагрузка облачного сервера за последние 30 дней',
    },
    auth: 'customer',
    limit: per(3, 5),
    request: { params: ByServer },
    response: { 200: ServerStats },
    errors: ['NOT_FOUND'],
  },
  buyCloudServer: {
    method: 'POST',
    path: '/cloud-servers',
    summary: {
      en: 'Order a machine: by balance or promocode at once, otherwise through a payment link',
      ru: 'Заказать машину: с баланса или по промокоду сразу, иначе по ссылке на оплату',
    },
    auth: 'customer',
    limit: per(1, 5),
    request: {
      body: Closed(
        {
          location_id: LocationId,
          tariff_config_id: field(Type.Optional(TariffConfigId), {
            en: "How strong a machine; the tariff's own when left out, or the first that the location has",
            ru: 'Мощность машины; если не указана — та, к которой относится тариф, или первая в этой локации',
          }),
          ...payment,
          enable_auto_renewal: EnableAutoRenewal,
          hostname: field(
            Type.Optional(Type.String({ minLength: 1, maxLength: 255, ...stated({ format: 'hostname' }) })),
            {
              en: 'Name of the machine: letters, digits, hyphens and dots',
              ru: 'Имя машины: латинские буквы, цифры, дефисы и точки',
              example: 'vpn.example.com',
            },
          ),
        },
        stated(promocodeOr(['payment_method_id', 'tariff_id'])),
      ),
    },
    example: { body: { location_id: 1, tariff_config_id: 1, payment_method_id: 1, tariff_id: 31 } },
    guesses: 'promocode',
    obtainsLink: true,
    response: { 201: Type.Union([CloudServer, PaymentLink]) },
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
  renewCloudServer: {
    method: 'POST',
    path: '/cloud-servers/renewal',
    summary: {
      en: 'Prolong a cloud server: by balance or promocode at once, otherwise through a payment link',
      ru: 'Продлить облачный сервер: с баланса или по промокоду сразу, иначе по ссылке на оплату',
    },
    auth: 'customer',
    limit: per(1, 5),
    request: {
      body: Closed(
        {
          server_id: CloudServerId,
          payment_method_id: field(Type.Optional(PaymentMethodId), {
            en: 'From the list of payment methods, unless a promocode is given',
            ru: 'Из списка способов оплаты, если нет промокода',
          }),
          days: field(Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })), {
            en: 'The length of one of the tariffs; as long as last time when left out',
            ru: 'Длина одного из тарифов; без него — как в прошлый раз',
            example: 30,
          }),
          promocode: field(Type.Optional(Promocode), {
            en: 'Instead of payment_method_id and days',
            ru: 'Вместо payment_method_id и days',
          }),
          enable_auto_renewal: EnableAutoRenewal,
        },
        stated({
          oneOf: [
            {
              title: 'With a promocode',
              required: ['promocode'],
              not: { anyOf: [{ required: ['payment_method_id'] }, { required: ['days'] }] },
            },
            {
              title: 'With a payment method',
              required: ['payment_method_id'],
              not: { required: ['promocode'] },
            },
          ],
        }),
      ),
    },
    example: { body: { server_id: 1, payment_method_id: 1, days: 30 } },
    guesses: 'promocode',
    obtainsLink: true,
    response: { 200: RenewedServer, 201: PaymentLink },
    errors: [
      'NOT_FOUND',
      'INSUFFICIENT_BALANCE',
      'INSUFFICIENT_REFERRAL_BALANCE',
      'PROMOCODE_INVALID',
      'PAYMENT_METHOD_UNAVAILABLE',
      'CONFLICT',
    ],
    idempotent: true,
  },
  rebootCloudServer: {
    method: 'POST',
    path: '/cloud-servers/:id/reboot',
    summary: {
      en: 'Restart the machine: it begins in about 3 seconds and takes a minute or two',
      ru: 'Перезагрузить машину: начнётся примерно через 3 секунды и займёт минуту-две',
    },
    auth: 'customer',
    limit: per(1, 30),
    request: { params: ByServer },
    response: {
      200: Closed({
        success: field(Type.Boolean(), { en: 'The restart was initiated', ru: 'Перезагрузка назначена' }),
      }),
    },
    errors: ['NOT_FOUND'],
  },
  switchCloudAutoRenewal: {
    method: 'PATCH',
    path: '/cloud-servers/:id/auto-renewal',
    summary: {
      en: 'Switch auto-renewal on for a number of days, or off',
      ru: 'Включить автопродление на сколько-то дней или выключить',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: { params: ByServer, body: AutoRenewalBody },
    example: { body: { enabled: true, days: 30 }, data: { auto_renewal: true, auto_renewal_days: 30 } },
    response: { 200: AutoRenewal },
    errors: ['NOT_FOUND'],
  },
  ...cloudConfigRows,
  ...cloudProxyRows,
})
