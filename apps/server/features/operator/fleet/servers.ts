import { badRequest } from '@sallyport/contract/errors'
import type { serverRows } from '@sallyport/contract/operator/fleet/servers'
import type { Handlers } from '../../../core/call.ts'
import { createServer } from '../../../core/fleet/new-servers.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { isCustomersNode } from '../clouds/queries.ts'

/** A certificate and its key come together or not at all. */
const readCertificate = (body: { certificate?: string; certificate_key?: string }) => {
  const { certificate, certificate_key: key } = body
  if (certificate === undefined && key === undefined) return undefined
  if (certificate === undefined) throw badRequest('certificate', 'is required with certificate_key')
  if (key === undefined) throw badRequest('certificate_key', 'is required with certificate')
  return { certificate, key }
}

export const serverHandlers: Handlers<typeof serverRows> = {
  createServer:
    ({ vault, bus, body, now }) =>
    async (tx) => {
      if (await isCustomersNode(tx, body.node_id)) {
        throw badRequest('node_id', 'is a customer’s own machine; nobody else is served there')
      }
      const id = await createServer(
        { db: tx, vault, bus, now },
        {
          nodeId: body.node_id,
          locationId: body.location_id,
          capacity: body.capacity,
          domain: body.domain,
          certificate: readCertificate(body),
          realityTarget: body.reality_target,
          realityServerName: body.reality_server_name,
          otherTarget: body.other_reality_target,
          otherServerName: body.other_reality_server_name,
          protocols: body.protocols,
          ports: body.ports,
        },
      )
      const { certificate_key: _key, ...after } = body
      return audited({ id }, { id, after })
    },
}
