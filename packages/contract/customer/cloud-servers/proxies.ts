import Type from 'typebox'
import { per, table } from '../../operation.ts'
import { Closed, field, Id, Nullable, ProxyProtocolValue } from '../../shapes.ts'
import { Line } from '../../visible-text.ts'
import { OnServer } from './configs.ts'
import { CloudProxy, CloudProxyConnection, CloudServerId } from './shapes.ts'

/** Part of the operations on cloud servers: proxies on the customer's machine. */

const ByProxy = Closed({ server_id: CloudServerId, proxy_id: field(Id, { example: 9 }) })

export const cloudProxyRows = table({
  listCloudProxies: {
    method: 'GET',
    path: '/cloud-servers/:server_id/proxies',
    summary: { en: 'Proxies on a cloud server', ru: 'Прокси облачного сервера' },
    auth: 'customer',
    limit: 'global',
    request: { params: OnServer },
    response: { 200: Type.Array(CloudProxy) },
    errors: ['NOT_FOUND'],
  },
  createCloudProxy: {
    method: 'POST',
    path: '/cloud-servers/:server_id/proxies',
    summary: {
      en: 'Put a proxy on a cloud server that is active',
      ru: 'Создать прокси на работающем облачном сервере',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: { params: OnServer, body: Closed({ protocol: ProxyProtocolValue }) },
    example: { body: { protocol: 'socks5' } },
    response: { 200: CloudProxy },
    errors: ['NOT_FOUND', 'NO_SERVER_AVAILABLE', 'CONFLICT'],
    idempotent: true,
  },
  changeCloudProxyProtocol: {
    method: 'PATCH',
    path: '/cloud-servers/:server_id/proxies/:proxy_id/protocol',
    summary: { en: 'Change the protocol of a proxy', ru: 'Сменить протокол прокси' },
    auth: 'customer',
    limit: per(1, 1),
    request: { params: ByProxy, body: Closed({ protocol: ProxyProtocolValue }) },
    response: { 200: CloudProxyConnection },
    errors: ['NOT_FOUND', 'NO_SERVER_AVAILABLE'],
  },
  changeCloudProxyTitle: {
    method: 'PATCH',
    path: '/cloud-servers/:server_id/proxies/:proxy_id/title',
    summary: { en: 'Name a proxy, or take its name away', ru: 'Назвать прокси или убрать название' },
    auth: 'customer',
    limit: per(1, 1),
    request: {
      params: ByProxy,
      body: Closed({
        title: field(Nullable(Line(1, 100)), {
          en: 'null takes the name away',
          ru: 'null убирает название',
          example: 'Office',
        }),
      }),
    },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
  deleteCloudProxy: {
    method: 'DELETE',
    path: '/cloud-servers/:server_id/proxies/:proxy_id',
    summary: { en: 'Take a proxy off a cloud server', ru: 'Удалить прокси с облачного сервера' },
    auth: 'customer',
    limit: per(1, 1),
    request: { params: ByProxy },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
})
