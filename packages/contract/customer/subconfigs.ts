import Type from 'typebox'
import { per, table } from '../operation.ts'
import { Closed, field, ProxyProtocolValue, stated } from '../shapes.ts'
import { ConfigId } from './config-changes.ts'
import { Subconfig, SubconfigConnection } from './shapes.ts'

/** Part of the operations on configurations: the proxy that one may have. */
export const subconfigRows = table({
  showSubconfig: {
    method: 'GET',
    path: '/configs/:config_id/subconfig',
    summary: { en: 'The proxy of a configuration', ru: 'Прокси конфигурации' },
    auth: 'customer',
    limit: 'global',
    request: { params: ConfigId },
    response: { 200: Subconfig },
    errors: ['NOT_FOUND'],
  },
  createSubconfig: {
    method: 'POST',
    path: '/configs/:config_id/subconfig',
    summary: { en: 'Add a proxy to a configuration', ru: 'Добавить конфигурации прокси' },
    auth: 'customer',
    limit: per(1, 1),
    request: {
      params: ConfigId,
      body: Closed(
        {
          protocol: ProxyProtocolValue,
          tls_domain: field(
            Type.Optional(Type.String({ maxLength: 253, ...stated({ minLength: 3, format: 'hostname' }) })),
            {
              en: 'The site that mtproto hides behind; it must lead to public addresses only',
              ru: 'Сайт-прикрытие для mtproto; должен вести только на публичные адреса',
            },
          ),
        },
        stated({
          anyOf: [{ not: { required: ['tls_domain'] } }, { properties: { protocol: { const: 'mtproto' } } }],
        }),
      ),
    },
    example: {
      body: { protocol: 'mtproto', tls_domain: 'www.example.com' },
      data: {
        id: 1,
        protocol: 'mtproto',
        connection_url: 'tg://proxy?server=203.0.113.10&port=30042&secret=ee7h…',
      },
    },
    response: { 200: SubconfigConnection },
    errors: ['NOT_FOUND', 'CONFLICT', 'NO_SERVER_AVAILABLE'],
    idempotent: true,
  },
  changeSubconfig: {
    method: 'PATCH',
    path: '/configs/:config_id/subconfig',
    summary: { en: 'Change the protocol of the proxy', ru: 'Сменить протокол прокси' },
    auth: 'customer',
    limit: per(1, 1),
    request: { params: ConfigId, body: Closed({ protocol: ProxyProtocolValue }) },
    response: { 200: SubconfigConnection },
    errors: ['NOT_FOUND', 'NO_SERVER_AVAILABLE'],
  },
  deleteSubconfig: {
    method: 'DELETE',
    path: '/configs/:config_id/subconfig',
    summary: { en: 'Remove the proxy of a configuration', ru: 'Убрать прокси конфигурации' },
    auth: 'customer',
    limit: per(1, 1),
    request: { params: ConfigId },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
})
