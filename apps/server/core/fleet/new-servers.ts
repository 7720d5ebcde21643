import { isIP } from 'node:net'
import { badRequest } from '@sallyport/contract/errors'
import { type Protocol, protocols } from '@sallyport/contract/shapes'
import { type Db, inTransaction } from '../../db/client.ts'
import { DatabaseError } from '../../db/driver.ts'
import type { Bus } from '../kernel/bus.ts'
import type { Vault } from '../kernel/vault.ts'
import { makeCertificate, readCertificate } from './certificates.ts'
import {
  certificateKeyContext,
  engineOf,
  hasSharedPort,
  inboundSecretContext,
  makeInbound,
  type ServerNames,
  tagOf,
} from './inbounds.ts'
import { sharedPorts, takeGivenPort, takePorts } from './node-ports.ts'
import { touchNode } from './placements.ts'

export interface NewServer {
  readonly nodeId: number
  readonly locationId: number
  readonly capacity: number
  /** The term of the customer whose machine it is; the operator's where none is named. */
  readonly ownerTermId?: number
  /** The server's own name; by default the node's, or one that resolves to the node's address. */
  readonly domain?: string | undefined
  /** PEM; one is made here when the operator has none. */
  readonly certificate?: { readonly certificate: string; readonly key: string } | undefined
  readonly realityTarget: string
  readonly realityServerName: string
  readonly otherTarget?: string | undefined
  readonly otherServerName?: string | undefined
  readonly protocols?: readonly Protocol[] | undefined
  /** Ports that the operator chose; the others are given here. */
  readonly ports?: { readonly [P in Protocol]?: number | undefined } | undefined
}

export interface CatalogueTools {
  readonly db: Db
  readonly vault: Vault
  readonly bus: Bus
  readonly now: number
}

/** Well-known sites with TLS 1.3 and HTTP/2, for change_sni when the operator names none. */
const otherSites = ['www.cloudflare.com', 'www.apple.com']

const foreignKeyViolation = '23503'

/** The node was removed meanwhile. */
const explain = (error: unknown): never => {
  if (error instanceof DatabaseError && error.code === foreignKeyViolation) {
    throw badRequest('node_id', 'does not exist')
  }
  throw error
}

/** A name of the operator's, or one of a public service that resolves names made of addresses. */
const usualDomain = (address: string): string =>
  isIP(address) === 0 ? address : `${address.replaceAll(/[.:]/g, '-')}.sslip.io`

const namesOf = (server: NewServer, domain: string, pin: string | null): ServerNames => {
  const { realityServerName } = server
  const otherServerName =
    server.otherServerName ?? otherSites.find((name) => name !== realityServerName) ?? realityServerName
  return {
    realityTarget: server.realityTarget,
    realityServerName,
    otherServerName,
    otherTarget: server.otherTarget ?? `${otherServerName}:443`,
    domain,
    pin,
  }
}

/** One that nobody deletes until the transaction ends. */
const requireLocation = async (tx: Db, id: number): Promise<void> => {
  const location = await tx
    .selectFrom('locations')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  if (!location) throw badRequest('location_id', 'does not exist')
}

const insertServer = async (
  tx: Db,
  { vault, now }: CatalogueTools,
  server: NewServer,
): Promise<{ id: number; names: ServerNames }> => {
  const node = await tx
    .selectFrom('nodes')
    .select('address')
    .where('id', '=', server.nodeId)
    .executeTakeFirst()
  if (!node) throw badRequest('node_id', 'does not exist')
  await requireLocation(tx, server.locationId)
  const domain = server.domain ?? usualDomain(node.address)
  const { certificate, key, pin } = server.certificate
    ? readCertificate(server.certificate)
    : makeCertificate(domain, now)
  const names = namesOf(server, domain, pin)
  const { id } = await tx
    .insertInto('servers')
    .values({
      node_id: server.nodeId,
      location_id: server.locationId,
      owner_term_id: server.ownerTermId ?? null,
      capacity: server.capacity,
      domain,
      certificate,
      certificate_key_sealed: vault.seal(key, certificateKeyContext),
      is_certificate_public: pin === null,
      reality_target: names.realityTarget,
      reality_server_name: names.realityServerName,
      other_reality_target: names.otherTarget,
      other_reality_server_name: names.otherServerName,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(explain)
  return { id, names }
}

interface InboundPlace {
  readonly serverId: number
  readonly nodeId: number
  readonly ports?: NewServer['ports']
}

/** Those that were chosen come first, or a port given here could turn out to be one of them. */
const portsOf = async (
  tx: Db,
  { serverId, nodeId, ports: chosen = {} }: InboundPlace,
  offered: readonly Protocol[],
): Promise<ReadonlyMap<Protocol, number>> => {
  const shared = offered.filter(hasSharedPort)
  const ownerOf = (protocol: Protocol) => ({ inbound: tagOf(protocol, serverId) })
  const ports = new Map<Protocol, number>()
  for (const protocol of shared) {
    const port = chosen[protocol]
    if (port === undefined) continue
    await takeGivenPort(tx, nodeId, ownerOf(protocol), port, `ports.${protocol}`)
    ports.set(protocol, port)
  }
  const open = shared.filter((protocol) => !ports.has(protocol))
  const given = await takePorts(tx, nodeId, open.map(ownerOf), sharedPorts)
  for (const [at, protocol] of open.entries()) ports.set(protocol, given[at] as number)
  return ports
}

/** Protocols more of a server. */
export const insertInbounds = async (
  tx: Db,
  vault: Vault,
  at: InboundPlace,
  offered: readonly Protocol[],
  names: ServerNames,
): Promise<void> => {
  if (offered.length === 0) return
  const ports = await portsOf(tx, at, offered)
  const rows = offered.map((protocol) => {
    const { settings, sites, secret } = makeInbound(protocol, names)
    return {
      server_id: at.serverId,
      protocol,
      node_id: at.nodeId,
      engine: engineOf[protocol],
      port: ports.get(protocol) ?? null,
      settings: JSON.stringify(settings),
      sites: JSON.stringify(sites),
      secret_sealed: vault.seal(secret, inboundSecretContext),
    }
  })
  await tx.insertInto('inbounds').values(rows).execute()
}

/** A sellable server with fresh keys for each protocol; its node learns of it at once. */
export const createServer = (at: CatalogueTools, server: NewServer): Promise<number> =>
  inTransaction(at.db, async (tx) => {
    const { nodeId } = server
    const { id, names } = await insertServer(tx, at, server)
    const place = { serverId: id, nodeId, ports: server.ports }
    await insertInbounds(tx, at.vault, place, server.protocols ?? protocols, names)
    await touchNode(tx, at.bus, nodeId)
    return id
  })
