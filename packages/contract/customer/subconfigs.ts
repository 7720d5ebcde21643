import Type from 'typebox'
import { per, table } from '../operation.ts'
import { Closed, Id, ProxyProtocolValue, Subconfig, SubconfigConnection, stated } from '../shapes.ts'

const ConfigId = Closed({ config_id: Id })

/** Part of the operations on configurations: the proxy that one may have. */
export const subconfigRows = table({
  showSubconfig: {
    method: 'GET',
    path: '/configs/:config_id/subconfig',
    summary: 'The proxy of a configuration',
    auth: 'customer',
    limit: 'global',
    request: { params: ConfigId },
    response: { 200: Subconfig },
    errors: ['NOT_FOUND'],
  },
  createSubconfig: {
    method: 'POST',
    path: '/configs/:config_id/subconfig',
    summary: 'Add a proxy to a configuration',
    auth: 'customer',
    limit: per(1, 1),
    request: {
      params: ConfigId,
      body: Closed(
        {
          protocol: ProxyProtocolValue,
          tls_domain: Type.Optional(
            Type.String({ maxLength: 253, ...stated({ minLength: 3, format: 'hostname' }) }),
          ),
        },
        stated({
          anyOf: [{ not: { required: ['tls_domain'] } }, { properties: { protocol: { const: 'mtproto' } } }],
        }),
      ),
    },
    response: { 200: SubconfigConnection },
    errors: ['NOT_FOUND', 'CONFLICT', 'NO_SERVER_AVAILABLE'],
    idempotent: true,
  },
  changeSubconfig: {
    method: 'PATCH',
    path: '/configs/:config_id/subconfig',
    summary: 'Change the protocol of the proxy',
    auth: 'customer',
    limit: per(1, 1),
    request: { params: ConfigId, body: Closed({ protocol: ProxyProtocolValue }) },
    response: { 200: SubconfigConnection },
    errors: ['NOT_FOUND', 'NO_SERVER_AVAILABLE'],
  },
  deleteSubconfig: {
    method: 'DELETE',
    path: '/configs/:config_id/subconfig',
    summary: 'Remove the proxy of a configuration',
    auth: 'customer',
    limit: per(1, 1),
    request: { params: ConfigId },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
})
