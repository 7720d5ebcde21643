import Type from 'typebox'
import { per, table } from '../../operation.ts'
import { Closed, field, Id, Nullable, ProtocolValue } from '../../shapes.ts'
import { Title } from '../../visible-text.ts'
import { awgFields } from '../awg-shapes.ts'
import { XrayConfigBody, xrayConfigBodyLimitBytes } from '../config-changes.ts'
import { renewsOne } from '../credentials.ts'
import { switchFields } from '../switch-fields.ts'
import {
  CloudConfig,
  CloudConnection,
  CloudProtocolValue,
  CloudServerId,
  SettledCloudConnection,
} from './shapes.ts'

/** Part of the operations on cloud servers: configurations on the customer's machine. */

export const OnServer = Closed({ server_id: CloudServerId })
const AConfig = field(Id, { example: 8 })
const ById = Closed({ server_id: CloudServerId, id: AConfig })
const ByConfigId = Closed({ server_id: CloudServerId, config_id: AConfig })

export const cloudConfigRows = table({
  listCloudConfigs: {
    method: 'GET',
    path: '/cloud-servers/:server_id/configs',
    summary: { en: 'Configurations on a cloud server', ru: 'Конфигурации облачного сервера' },
    auth: 'customer',
    limit: 'global',
    request: { params: OnServer },
    response: { 200: Type.Array(CloudConfig) },
    errors: ['NOT_FOUND'],
  },
  createCloudConfig: {
    method: 'POST',
    path: '/cloud-servers/:server_id/configs',
    summary: {
      en: 'Put a configuration on a cloud server that is active',
      ru: 'Создать конфигурацию на работающем облачном сервере',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: {
      params: OnServer,
      body: Closed({
        protocol: CloudProtocolValue,
        title: field(Type.Optional(Title), { example: 'TV' }),
        ...switchFields,
      }),
    },
    example: { body: { protocol: 'vless', title: 'TV' } },
    response: { 201: CloudConfig },
    errors: ['NOT_FOUND', 'NO_SERVER_AVAILABLE', 'CONFLICT'],
    idempotent: true,
  },
  changeCloudConfigProtocol: {
    method: 'PATCH',
    path: '/cloud-servers/:server_id/configs/:id/protocol',
    summary: {
      en: 'Another protocol or other options; options that are not named stay',
      ru: 'Сменить протокол или опции; неназванные опции остаются',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: { params: ById, body: Closed({ protocol: ProtocolValue, ...switchFields }) },
    example: { body: { protocol: 'vless', use_extended_settings: true, use_grpc: true } },
    response: { 200: SettledCloudConnection },
    errors: ['NOT_FOUND', 'NO_SERVER_AVAILABLE'],
  },
  changeCloudXrayConfig: {
    method: 'PATCH',
    path: '/cloud-servers/:server_id/configs/:id/xray',
    summary: {
      en: 'Replace the JSON of the personal Xray; what is not allowed is refused by name',
      ru: 'Заменить JSON личного Xray; недозволенное отклоняется с указанием места',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: { params: ById, body: XrayConfigBody },
    response: { 200: CloudConnection },
    errors: ['NOT_FOUND', 'CONFLICT'],
    bodyLimitBytes: xrayConfigBodyLimitBytes,
  },
  changeCloudAwgConfig: {
    method: 'PATCH',
    path: '/cloud-servers/:server_id/configs/:config_id/awg',
    summary: {
      en: 'Tune the AmneziaWG interface of a configuration',
      ru: 'Настроить интерфейс AmneziaWG конфигурации',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: { params: ByConfigId, body: Closed(awgFields) },
    example: { body: { port: 45_000, jc: 5, jmin: 50, jmax: 900 } },
    response: { 200: CloudConnection },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  changeCloudConfigTitle: {
    method: 'PATCH',
    path: '/cloud-servers/:server_id/configs/:id/title',
    summary: {
      en: 'Name a configuration, or take its name away',
      ru: 'Назвать конфигурацию или убрать название',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: {
      params: ById,
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
  deleteCloudConfig: {
    method: 'DELETE',
    path: '/cloud-servers/:server_id/configs/:id',
    summary: {
      en: 'Take a configuration off a cloud server',
      ru: 'Удалить конфигурацию с облачного сервера',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: { params: ById },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
  resetCloudXrayConfig: {
    method: 'POST',
    path: '/cloud-servers/:server_id/configs/:config_id/resetXrayConfig',
    summary: {
      en: 'Back to the JSON that follows from the options, without a bridge',
      ru: 'Вернуть JSON, который следует из опций, без моста',
    },
    auth: 'customer',
    limit: per(1, 4),
    request: { params: ByConfigId },
    response: { 200: CloudConnection },
    errors: ['NOT_FOUND'],
  },
  resetCloudConfigCredentials: {
    method: 'POST',
    path: '/cloud-servers/:server_id/configs/:config_id/resetCredentials',
    summary: renewsOne,
    auth: 'customer',
    limit: per(1, 4),
    request: { params: ByConfigId },
    response: { 200: CloudConnection },
    errors: ['NOT_FOUND'],
  },
})
