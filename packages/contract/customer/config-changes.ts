import Type from 'typebox'
import { per, table } from '../operation.ts'
import { Closed, field, Id, Nullable, ProtocolValue } from '../shapes.ts'
import { Title } from '../visible-text.ts'
import { awgFields } from './awg-shapes.ts'
import { renewsOne } from './credentials.ts'
import { AutoRenewalBody } from './payment-fields.ts'
import { AutoRenewal, Connection, LocationId, SettledConnection } from './shapes.ts'
import { switchFields } from './switch-fields.ts'

/** Part of the operations on configurations: what can be changed of one that is there. */

export const ConfigId = Closed({ config_id: field(Id, { example: 1 }) })
/** Of an Xray configuration that a customer writes: its text in UTF-8, and the body that the text comes in. */
export const xrayConfigTextLimitBytes = 64 * 1024
export const xrayConfigBodyLimitBytes = 128 * 1024

export const XrayConfigBody = Closed({
  xray_config: field(Type.String({ minLength: 2, maxLength: xrayConfigTextLimitBytes }), {
    en: 'JSON of the personal Xray, as the service gave it, with your changes; 64 KiB at most. Keys in any Base64',
    ru: 'JSON личного Xray, как его вернул сервис, с вашими правками; не больше 64 КиБ. Ключи — в любом Base64',
    example: '{"inbounds":[…],"outbounds":[…],"routing":{…}}',
  }),
  public_key: field(Type.Optional(Nullable(Type.String({ maxLength: 64 }))), {
    en: 'When given, it must belong to the privateKey; in any Base64',
    ru: 'Если указан, должен соответствовать privateKey; в любом Base64',
  }),
})

export const ServerWish = field(Type.Optional(Id), {
  en: 'A preferred server; one that is full or offline gives way to another of the location. Chosen automatically when left out',
  ru: 'Желаемый сервер; если он заполнен или не на связи, берётся другой в этой локации. Без него сервер подбирается сам',
})

export const settingsRows = table({
  changeConfigSettings: {
    method: 'PATCH',
    path: '/configs/:config_id/settings',
    summary: {
      en: 'Move a configuration to another location, server or protocol, or change its options; what is not named stays',
      ru: 'Перенести конфигурацию в другую локацию, на другой сервер или протокол, сменить опции; неназванные остаются',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: {
      params: ConfigId,
      body: Closed({
        location_id: LocationId,
        protocol: ProtocolValue,
        server_id: ServerWish,
        ...switchFields,
      }),
    },
    example: { body: { location_id: 2, protocol: 'vless', use_extended_settings: true, use_grpc: true } },
    response: { 200: SettledConnection },
    errors: ['NOT_FOUND', 'NO_SERVER_AVAILABLE'],
  },
})

export const engineRows = table({
  changeXrayConfig: {
    method: 'PATCH',
    path: '/configs/:config_id/XrayConfig',
    summary: {
      en: 'Replace the JSON of the personal Xray; what is not allowed is refused by name',
      ru: 'Заменить JSON личного Xray; недозволенное отклоняется с указанием места',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: {
      params: ConfigId,
      body: XrayConfigBody,
    },
    response: { 200: Connection },
    errors: ['NOT_FOUND', 'CONFLICT'],
    bodyLimitBytes: xrayConfigBodyLimitBytes,
  },
  resetXrayConfig: {
    method: 'POST',
    path: '/configs/:config_id/resetXrayConfig',
    summary: {
      en: 'Back to the JSON that follows from the options, without a bridge',
      ru: 'Вернуть JSON, который следует из опций, без моста',
    },
    auth: 'customer',
    limit: per(1, 4),
    request: { params: ConfigId },
    response: { 200: Connection },
    errors: ['NOT_FOUND'],
  },
  resetConfigCredentials: {
    method: 'POST',
    path: '/configs/:config_id/resetCredentials',
    summary: renewsOne,
    auth: 'customer',
    limit: per(1, 4),
    request: { params: ConfigId },
    response: { 200: Connection },
    errors: ['NOT_FOUND'],
  },
  changeAwgConfig: {
    method: 'PATCH',
    path: '/configs/:config_id/awgConfig',
    summary: {
      en: 'Tune the AmneziaWG interface of a configuration',
      ru: 'Настроить интерфейс AmneziaWG конфигурации',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: { params: ConfigId, body: Closed(awgFields) },
    example: { body: { port: 45_000, jc: 5, jmin: 50, jmax: 900 } },
    response: { 200: Connection },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  changeConfigTitle: {
    method: 'PATCH',
    path: '/configs/title/:config_id',
    summary: {
      en: 'Name a configuration, or take its name away',
      ru: 'Назвать конфигурацию или убрать название',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: {
      params: ConfigId,
      body: Closed({
        title: field(Nullable(Title), {
          en: 'null takes the name away',
          ru: 'null убирает название',
          example: 'Laptop',
        }),
      }),
    },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
  switchAutoRenewal: {
    method: 'PATCH',
    path: '/configs/:config_id/auto-renewal',
    summary: {
      en: 'Switch auto-renewal on for a number of days, or off',
      ru: 'Включить автопродление на сколько-то дней или выключить',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: {
      params: ConfigId,
      body: AutoRenewalBody,
    },
    example: { body: { enabled: true, days: 30 }, data: { auto_renewal: true, auto_renewal_days: 30 } },
    response: { 200: AutoRenewal },
    errors: ['NOT_FOUND'],
  },
})
