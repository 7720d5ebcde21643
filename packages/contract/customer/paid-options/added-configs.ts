import Type from 'typebox'
import { per, table } from '../../operation.ts'
import { Closed, field, Id, Nullable, ProtocolValue, ProxyProtocolValue } from '../../shapes.ts'
import { Title } from '../../visible-text.ts'
import { ServerWish, XrayConfigBody, xrayConfigBodyLimitBytes } from '../config-changes.ts'
import { renewsOne } from '../credentials.ts'
import {
  AvailableServer,
  Connection,
  ServerStats,
  SettledConnection,
  SubconfigConnection,
} from '../shapes.ts'
import { switchFields } from '../switch-fields.ts'
import { AddedConfig, OptionId } from './shapes.ts'

/** Part of the operations on paid options: configurations that the customer adds. */

export const ByOption = Closed({ id: OptionId })
const ByConfig = Closed({ id: OptionId, configId: field(Id, { example: 6 }) })

export const addedRows = table({
  addOptionConfig: {
    method: 'POST',
    path: '/paid-options/:id/configs',
    summary: {
      en: 'Add a configuration on one of the servers of the option; up to 20',
      ru: 'Добавить конфигурацию на одном из серверов опции; не больше 20',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: {
      params: ByOption,
      body: Closed({
        protocol: ProtocolValue,
        server_id: ServerWish,
        title: field(Type.Optional(Title), { example: 'TV' }),
        ...switchFields,
      }),
    },
    example: { body: { protocol: 'vless', title: 'TV' } },
    response: { 200: AddedConfig },
    errors: ['NOT_FOUND', 'NO_SERVER_AVAILABLE', 'CONFLICT'],
    idempotent: true,
  },
  changeOptionConfigSettings: {
    method: 'PATCH',
    path: '/paid-options/:id/configs/:configId/settings',
    summary: {
      en: 'Another protocol, server of the option, or other options; what is not named stays',
      ru: 'Сменить протокол, сервер опции или настройки; неназванные остаются',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: {
      params: ByConfig,
      body: Closed({ protocol: ProtocolValue, server_id: ServerWish, ...switchFields }),
    },
    example: { body: { protocol: 'vless', use_extended_settings: true, use_grpc: true } },
    response: { 200: SettledConnection },
    errors: ['NOT_FOUND', 'NO_SERVER_AVAILABLE'],
  },
  changeOptionXrayConfig: {
    method: 'PATCH',
    path: '/paid-options/:id/configs/:configId/xray',
    summary: {
      en: 'Replace the JSON of the personal Xray; what is not allowed is refused by name',
      ru: 'Заменить JSON личного Xray; недозволенное отклоняется с указанием места',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: { params: ByConfig, body: XrayConfigBody },
    response: { 200: Connection },
    errors: ['NOT_FOUND', 'CONFLICT'],
    bodyLimitBytes: xrayConfigBodyLimitBytes,
  },
  resetOptionXrayConfig: {
    method: 'POST',
    path: '/paid-options/:id/configs/:configId/resetXrayConfig',
    summary: {
      en: 'Back to the JSON that follows from the options, without a bridge',
      ru: 'Вернуть JSON, который следует из опций, без моста',
    },
    auth: 'customer',
    limit: per(1, 4),
    request: { params: ByConfig },
    response: { 200: Connection },
    errors: ['NOT_FOUND'],
  },
  resetOptionConfigCredentials: {
    method: 'POST',
    path: '/paid-options/:id/configs/:configId/resetCredentials',
    summary: renewsOne,
    auth: 'customer',
    limit: per(1, 4),
    request: { params: ByConfig },
    response: { 200: Connection },
    errors: ['NOT_FOUND'],
  },
  changeOptionConfigTitle: {
    method: 'PATCH',
    path: '/paid-options/:id/configs/:configId/title',
    summary: {
      en: 'Name a configuration of the option, or take its name away',
      ru: 'Назвать конфигурацию опции или убрать название',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: {
      params: ByConfig,
      body: Closed({
        title: field(Nullable(Title), {
          en: 'null takes the name away',
          ru: 'null убирает название',
          example: 'TV',
        }),
      }),
    },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
  showOptionConfigStats: {
    method: 'GET',
    path: '/paid-options/:id/configs/:configId/stats',
    summary: {
      en: "Load of the configuration's server over the last 30 days",
      ru: 'Нагрузка сервера конфигурации за последние 30 дней',
    },
    auth: 'customer',
    limit: 'global',
    request: { params: ByConfig },
    response: { 200: ServerStats },
    errors: ['NOT_FOUND'],
  },
  listOptionServers: {
    method: 'GET',
    path: '/paid-options/:id/configs/available-servers',
    summary: {
      en: 'Servers of the option that can take a configuration of the protocol now',
      ru: 'Серверы опции, которые сейчас примут конфигурацию с этим протоколом',
    },
    auth: 'customer',
    limit: per(5, 5),
    request: { params: ByOption, query: Closed({ protocol: ProtocolValue }) },
    example: { query: { protocol: 'vless' } },
    response: { 200: Type.Array(AvailableServer) },
    errors: ['NOT_FOUND'],
  },
  showOptionSubconfig: {
    method: 'GET',
    path: '/paid-options/:id/configs/:configId/subconfig',
    summary: { en: 'The proxy of a configuration of the option', ru: 'Прокси конфигурации опции' },
    auth: 'customer',
    limit: 'global',
    request: { params: ByConfig },
    response: { 200: SubconfigConnection },
    errors: ['NOT_FOUND'],
  },
  createOptionSubconfig: {
    method: 'POST',
    path: '/paid-options/:id/configs/:configId/subconfig',
    summary: { en: 'Add a proxy to a configuration of the option', ru: 'Добавить прокси конфигурации опции' },
    auth: 'customer',
    limit: per(1, 1),
    request: { params: ByConfig, body: Closed({ protocol: ProxyProtocolValue }) },
    response: { 200: SubconfigConnection },
    errors: ['NOT_FOUND', 'CONFLICT', 'NO_SERVER_AVAILABLE'],
    idempotent: true,
  },
  changeOptionSubconfig: {
    method: 'PATCH',
    path: '/paid-options/:id/configs/:configId/subconfig',
    summary: { en: 'Change the protocol of the proxy', ru: 'Сменить протокол прокси' },
    auth: 'customer',
    limit: per(1, 1),
    request: { params: ByConfig, body: Closed({ protocol: ProxyProtocolValue }) },
    response: { 200: SubconfigConnection },
    errors: ['NOT_FOUND', 'NO_SERVER_AVAILABLE'],
  },
  deleteOptionSubconfig: {
    method: 'DELETE',
    path: '/paid-options/:id/configs/:configId/subconfig',
    summary: {
      en: 'Remove the proxy of a configuration of the option',
      ru: 'Убрать прокси конфигурации опции',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: { params: ByConfig },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
})
