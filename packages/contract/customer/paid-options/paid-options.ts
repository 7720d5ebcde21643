import Type from 'typebox'
import { per, table } from '../../operation.ts'
import { Closed, field, maxId, stated } from '../../shapes.ts'
import { Title } from '../../visible-text.ts'
import { DeviceLimit } from '../devices.ts'
import { AutoRenewalBody, EnableAutoRenewal, payment, promocodeOr } from '../payment-fields.ts'
import { AutoRenewal, BoughtKey, PaymentLink, ServerStats } from '../shapes.ts'
import { addedRows, ByOption } from './added-configs.ts'
import { Hwid, OptionId, OptionOnSale, OptionSubscription, PaidOption, PanelDevices } from './shapes.ts'

/** The specification's part "Paid options". */

const ByIndex = Closed({
  id: OptionId,
  index: field(Type.Integer({ minimum: 0, maximum: maxId }), {
    en: 'Index of a configuration of the option, as it is listed',
    ru: 'Номер конфигурации опции, как в списке',
    example: 0,
  }),
})

/** Whole, and what JSON can carry exactly. */
const TrafficLimit = Type.Integer({ minimum: 0, maximum: maxId })

export const paidOptions = table({
  listPaidOptions: {
    method: 'GET',
    path: '/paid-options',
    summary: {
      en: 'Options of the account that have not ended, with their configurations',
      ru: 'Неистёкшие опции аккаунта и их конфигурации',
    },
    auth: 'customer',
    limit: per(60, 60),
    request: {
      query: Closed({
        with_ended: field(Type.Optional(Type.Boolean()), {
          en: 'Also those that have ended and can still be renewed, without configurations',
          ru: 'Также истёкшие, которые ещё можно продлить, без конфигураций',
        }),
      }),
    },
    response: { 200: Type.Array(PaidOption) },
    errors: [],
  },
  listPaidOptionTariffs: {
    method: 'GET',
    path: '/paid-options/tariffs',
    summary: {
      en: "Options on sale with the customer's own prices",
      ru: 'Опции в продаже с ценами именно для этого клиента',
    },
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: Type.Array(OptionOnSale) },
    errors: [],
  },
  buyPaidOption: {
    method: 'POST',
    path: '/paid-options',
    summary: {
      en: 'Buy an option, or prolong the one you have: by balance or promocode at once, otherwise through a payment link',
      ru: 'Купить опцию или продлить имеющуюся: с баланса или по промокоду сразу, иначе по ссылке на оплату',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: {
      body: Closed(
        {
          paid_option_id: OptionId,
          ...payment,
          as_key: field(Type.Optional(Type.Boolean()), {
            en: 'Buy an activation key instead',
            ru: 'Купить вместо этого ключ активации',
          }),
          enable_auto_renewal: EnableAutoRenewal,
        },
        stated(promocodeOr(['payment_method_id', 'tariff_id'])),
      ),
    },
    example: { body: { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 } },
    guesses: 'promocode',
    obtainsLink: true,
    response: { 201: Type.Union([PaidOption, PaymentLink, BoughtKey]) },
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
  listPanelDevices: {
    method: 'GET',
    path: '/paid-options/:id/devices',
    summary: { en: 'Devices that fetched the option', ru: 'Устройства, которые получали опцию' },
    auth: 'customer',
    limit: per(60, 60),
    request: { params: ByOption },
    response: { 200: PanelDevices },
    errors: ['NOT_FOUND'],
  },
  deletePanelDevices: {
    method: 'DELETE',
    path: '/paid-options/:id/devices',
    summary: {
      en: 'Forget all devices of the option; their places are free again',
      ru: 'Забыть все устройства опции; их места освобождаются',
    },
    auth: 'customer',
    limit: per(1, 5),
    request: { params: ByOption },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
  deletePanelDevice: {
    method: 'DELETE',
    path: '/paid-options/:id/devices/:device_id',
    summary: {
      en: 'Forget a device of the option; its place is free again',
      ru: 'Забыть устройство опции; его место освобождается',
    },
    auth: 'customer',
    limit: per(20, 60),
    request: { params: Closed({ id: OptionId, device_id: Hwid }) },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND', 'DEVICE_NOT_FOUND'],
  },
  showOptionSubscription: {
    method: 'GET',
    path: '/paid-options/:id/subscription',
    summary: {
      en: 'Traffic, limits and status of an option; also of one that has ended and can be renewed',
      ru: 'Трафик, лимиты и статус опции; в том числе истёкшей, которую ещё можно продлить',
    },
    auth: 'customer',
    limit: per(60, 60),
    request: { params: ByOption },
    response: { 200: OptionSubscription },
    errors: ['NOT_FOUND'],
  },
  changeOptionLimits: {
    method: 'PATCH',
    path: '/paid-options/:id/limits',
    summary: {
      en: 'Limit devices and traffic, within what the option allows; what is left out stays',
      ru: 'Ограничить устройства и трафик в пределах, которые допускает опция; неназванное остаётся как было',
    },
    auth: 'customer',
    limit: per(1, 5),
    request: {
      params: ByOption,
      body: Closed({
        device_limit: Type.Optional(DeviceLimit),
        traffic_limit: field(Type.Optional(TrafficLimit), {
          en: 'Bytes in 30 days; 0 means unlimited',
          ru: 'Байт за 30 дней; 0 — без ограничения',
        }),
      }),
    },
    example: { body: { device_limit: 3, traffic_limit: 107_374_182_400 } },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
  changeIndexTitle: {
    method: 'PATCH',
    path: '/paid-options/:id/titles/:index',
    summary: {
      en: 'Name the configuration at an index',
      ru: 'Назвать конфигурацию с этим номером',
    },
    auth: 'customer',
    limit: per(5, 2),
    request: { params: ByIndex, body: Closed({ title: field(Title, { example: 'TV' }) }) },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
  deleteIndexTitle: {
    method: 'DELETE',
    path: '/paid-options/:id/titles/:index',
    summary: { en: 'Back to the original title', ru: 'Вернуть исходное название' },
    auth: 'customer',
    limit: per(5, 2),
    request: { params: ByIndex },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
  showIndexStats: {
    method: 'GET',
    path: '/paid-options/:id/stats/:index',
    summary: {
      en: 'Load of the server of the configuration at an index over the last 30 days',
      ru: 'Нагрузка сервера конфигурации с этим номером за последние 30 дней',
    },
    auth: 'customer',
    limit: per(3, 5),
    request: { params: ByIndex },
    response: { 200: ServerStats },
    errors: ['NOT_FOUND'],
  },
  switchOptionAutoRenewal: {
    method: 'PATCH',
    path: '/paid-options/:id/auto-renewal',
    summary: {
      en: 'Switch auto-renewal on for a number of days, or off',
      ru: 'Включить автопродление на сколько-то дней или выключить',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: { params: ByOption, body: AutoRenewalBody },
    example: { body: { enabled: true, days: 30 }, data: { auto_renewal: true, auto_renewal_days: 30 } },
    response: { 200: AutoRenewal },
    errors: ['NOT_FOUND'],
  },
  ...addedRows,
})
