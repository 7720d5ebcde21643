import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { BodyOf } from '@sallyport/contract/operation'
import type { serverRows } from '@sallyport/contract/operator/fleet/servers'
import type { Handlers } from '../../../core/call.ts'
import { certificateEnd } from '../../../core/fleet/certificates.ts'
import {
  changeServer,
  lockServer,
  many,
  renames,
  type ServerChange,
  type StoredServer,
} from '../../../core/fleet/change-server.ts'
import { createServer } from '../../../core/fleet/new-servers.ts'
import { isCustomersNode } from '../../../core/fleet/node-owners.ts'
import { retireServer } from '../../../core/fleet/removal.ts'
import { isHeard } from '../../../core/fleet/servers.ts'
import { audited, unchanged } from '../../../core/kernel/audit.ts'
import {
  holdDependants,
  lockNodesOf,
  noDependants,
  tellDependants,
} from '../../../core/vpn/operations/dependent-accesses.ts'
import type { Db } from '../../../db/client.ts'
import { customersOn } from '../common/dependants.ts'
import { usualPage } from '../common/search.ts'
import { requireVersion } from '../common/versions.ts'
import { countOnServer, findServer, listServers, type ServerRow } from './server-queries.ts'

/** A certificate and its key come together or not at all. */
const readCertificate = (body: { certificate?: string; certificate_key?: string }) => {
  const { certificate, certificate_key: key } = body
  if (certificate === undefined && key === undefined) return undefined
  if (certificate === undefined) throw badRequest('certificate', 'is required with certificate_key')
  if (key === undefined) throw badRequest('certificate_key', 'is required with certificate')
  return { certificate, key }
}

const readChange = (body: BodyOf<typeof serverRows.changeServer>): ServerChange => ({
  capacity: body.capacity,
  state: body.state,
  protocols: body.protocols,
  domain: body.domain,
  certificate: readCertificate(body),
  realityTarget: body.reality_target,
  realityServerName: body.reality_server_name,
  otherTarget: body.other_reality_target,
  otherServerName: body.other_reality_server_name,
})

const shown = (row: ServerRow, now: number) => {
  const { last_seen_at: lastSeenAt, offered, certificate, ...rest } = row
  const protocols = Object.keys(offered).sort()
  const ports = protocols.flatMap((protocol) => {
    const port = offered[protocol]
    return typeof port === 'number' ? [[protocol, port] as const] : []
  })
  return {
    ...rest,
    is_online: row.state !== 'retired' && isHeard(lastSeenAt, now),
    protocols,
    ports: Object.fromEntries(ports),
    certificate_expires_at: certificateEnd(certificate),
  }
}

/** For the log, which says that the certificate is another one, and not which. */
const noted = (row: ServerRow, now: number) => ({ ...shown(row, now), certificate: row.certificate })

const requireRow = async (db: Db, id: number): Promise<ServerRow> => {
  const row = await findServer(db, id)
  if (!row) throw new ApiError('NOT_FOUND')
  return row
}

const requireServer = async (tx: Db, id: number): Promise<StoredServer> => {
  const server = await lockServer(tx, id)
  if (!server) throw new ApiError('NOT_FOUND')
  return server
}

/** Names and certificates of servers are in personal instances, and in what bridges know of their ends. */
const renamed = (serverId: number) =>
  ({ of: { serverId }, personal: 'instances', isReachedAnew: true }) as const

const requireChangeable = ({ state }: StoredServer, change: ServerChange): void => {
  if (state === 'retired') throw conflict('id', 'is retired, and stays as it was')
  if (state === 'draining' && change.state !== undefined) {
    throw conflict('state', 'is draining; stop that first with DELETE /servers/:id/drain')
  }
}

export const serverHandlers: Handlers<typeof serverRows> = {
  listServers: async ({ db, query, now }) => {
    const { limit = usualPage, ...search } = query
    return (await listServers(db, search, limit)).map((row) => shown(row, now))
  },

  showServer: async ({ db, params: { id }, now }) => shown(await requireRow(db, id), now),

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

  changeServer: ({ vault, bus, params: { id }, body, now }) => {
    const change = readChange(body)
    return async (tx) => {
      const mover = { vault, bus, now }
      const held = renames(change) ? await holdDependants(tx, renamed(id)) : noDependants
      const server = await requireServer(tx, id)
      const before = await requireRow(tx, id)
      requireVersion(body.version, shown(before, now))
      requireChangeable(server, change)
      await lockNodesOf(tx, held, server.node_id)
      await changeServer({ db: tx, ...mover }, server, change)
      await tellDependants(tx, mover, held)
      const after = await requireRow(tx, id)
      const answer = shown(after, now)
      return after.version === before.version
        ? unchanged(answer)
        : audited(answer, { before: noted(before, now), after: noted(after, now) })
    }
  },

  deleteServer:
    ({ bus, params: { id }, now }) =>
    async (tx) => {
      const server = await requireServer(tx, id)
      if (server.state === 'retired') throw new ApiError('NOT_FOUND')
      if (server.state === 'draining') {
        throw conflict('id', 'is draining; it can be retired when that is done')
      }
      const before = shown(await requireRow(tx, id), now)
      // Its inbounds go first: whoever comes meanwhile finds none, and whoever has come is counted.
      await retireServer(tx, bus, server, now)
      const { accesses, customers, options } = await countOnServer(tx, id)
      if (accesses > 0) {
        const what = `it carries ${many(accesses, 'configuration')}; these have to be elsewhere first`
        throw conflict('id', customersOn(customers, what))
      }
      if (options > 0) {
        throw conflict('id', `it belongs to ${many(options, 'paid option')}; take it out of there first`)
      }
      return audited(true, { before, after: null })
    },
}
