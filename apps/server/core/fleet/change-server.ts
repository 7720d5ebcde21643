import { badRequest, conflict } from '@sallyport/contract/errors'
import type { Protocol } from '@sallyport/contract/shapes'
import { pinOf } from '@sallyport/domain/vpn/engine/instance-endpoint'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isForName, makeCertificate, readCertificate, type ServerCertificate } from './certificates.ts'
import type { InboundSettings, InboundSites } from './inbound-settings.ts'
import { certificateKeyContext, namedInbound, type ServerNames } from './inbounds.ts'
import { type CatalogueTools, insertInbounds } from './new-servers.ts'
import { releaseInboundPorts } from './node-ports.ts'
import { touchNode } from './placements.ts'

/** A server of the operator's that is changed while customers are on it. Its keys stay, and so do its ports. */

export interface ServerChange {
  readonly capacity?: number | undefined
  readonly state?: 'selling' | 'closed' | undefined
  /** All that it offers from now on. */
  readonly protocols?: readonly Protocol[] | undefined
  readonly domain?: string | undefined
  readonly certificate?: { readonly certificate: string; readonly key: string } | undefined
  readonly realityTarget?: string | undefined
  readonly realityServerName?: string | undefined
  readonly otherTarget?: string | undefined
  readonly otherServerName?: string | undefined
}

export interface StoredServer {
  readonly id: number
  readonly node_id: number
  readonly state: 'selling' | 'closed' | 'draining' | 'retired'
  readonly domain: string
  readonly certificate: string
  readonly is_certificate_public: boolean
  readonly reality_target: string | null
  readonly reality_server_name: string | null
  readonly other_reality_target: string | null
  readonly other_reality_server_name: string | null
}

/** Purchases there wait until the transaction ends. Undefined when the operator has no such server. */
export const lockServer = (tx: Db, id: number): Promise<StoredServer | undefined> =>
  tx
    .selectFrom('servers')
    .select(['id', 'node_id', 'state', 'domain', 'certificate', 'is_certificate_public'])
    .select(['reality_target', 'reality_server_name', 'other_reality_target', 'other_reality_server_name'])
    .where('id', '=', id)
    .where('owner_term_id', 'is', null)
    .forUpdate()
    .executeTakeFirst()

/** Whether it changes what customers' apps are told. */
export const renames = (change: ServerChange): boolean =>
  [
    change.domain,
    change.certificate,
    change.realityTarget,
    change.realityServerName,
    change.otherTarget,
    change.otherServerName,
  ].some((value) => value !== undefined)

interface OfferedInbound {
  readonly protocol: Protocol
  readonly settings: InboundSettings
  readonly sites: InboundSites
}

const listOffered = async (tx: Db, serverId: number): Promise<OfferedInbound[]> =>
  (await tx
    .selectFrom('inbounds')
    .select(['protocol', 'settings', 'sites'])
    .where('server_id', '=', serverId)
    .orderBy('protocol')
    .execute()) as unknown as OfferedInbound[]

/** A name that the operator gives comes with a certificate for it, or with one that is made here. */
const certificateAfter = (
  server: StoredServer,
  { domain, certificate }: ServerChange,
  now: number,
): ServerCertificate | undefined => {
  if (certificate) return readCertificate(certificate)
  if (domain === undefined || domain === server.domain) return undefined
  if (!server.is_certificate_public) return makeCertificate(domain, now)
  if (isForName(server.certificate, domain)) return undefined
  throw conflict('domain', 'is not in its certificate; send certificate and certificate_key with it')
}

/** Those that show a site of somebody else's. */
const borrowing: ReadonlySet<Protocol> = new Set(['vless', 'trojan-2901'])

type RealityNames = Omit<ServerNames, 'domain' | 'pin'>

/** Of a server that an older version made, they stand only where they are used. */
const realityBefore = (server: StoredServer, offered: readonly OfferedInbound[]) => {
  const sites: InboundSites = offered.find(({ protocol }) => borrowing.has(protocol))?.sites ?? {}
  return {
    target: server.reality_target ?? sites.target,
    serverName: server.reality_server_name ?? sites.server_name,
    otherTarget: server.other_reality_target ?? sites.other_target,
    otherServerName: server.other_reality_server_name ?? sites.other_server_name,
  }
}

const realityAfter = (
  server: StoredServer,
  offered: readonly OfferedInbound[],
  change: ServerChange,
): Partial<RealityNames> => {
  const before = realityBefore(server, offered)
  const { otherServerName } = change
  const target = otherServerName === undefined ? before.otherTarget : `${otherServerName}:443`
  return {
    ...defined('realityTarget', change.realityTarget ?? before.target),
    ...defined('realityServerName', change.realityServerName ?? before.serverName),
    ...defined('otherTarget', change.otherTarget ?? target),
    ...defined('otherServerName', otherServerName ?? before.otherServerName),
  }
}

const defined = <K extends string>(name: K, value: string | undefined): { [P in K]?: string } =>
  value === undefined ? {} : ({ [name]: value } as { [P in K]: string })

const paths = {
  realityTarget: 'reality_target',
  realityServerName: 'reality_server_name',
  otherTarget: 'other_reality_target',
  otherServerName: 'other_reality_server_name',
} as const

/** What borrows a site needs its names; the others never look at them. */
const completeNames = (names: Partial<RealityNames>, protocols: readonly Protocol[]): RealityNames => {
  const missing = Object.entries(paths).find(([name]) => names[name as keyof RealityNames] === undefined)
  const borrower = protocols.find((protocol) => borrowing.has(protocol))
  if (missing && borrower) throw badRequest(missing[1], `is required for ${borrower}`)
  return { realityTarget: '', realityServerName: '', otherTarget: '', otherServerName: '', ...names }
}

/** In one statement, so that everybody's subscription rises once. */
const renameInbounds = async (
  tx: Db,
  serverId: number,
  offered: readonly OfferedInbound[],
  names: ServerNames,
): Promise<void> => {
  const renamed = offered.map(({ protocol, settings }) => {
    const named = namedInbound(protocol, names)
    return { protocol, settings: { ...settings, ...named.settings }, sites: named.sites }
  })
  await sql`
    update inbounds i set settings = r.settings, sites = r.sites
    from jsonb_to_recordset(${JSON.stringify(renamed)}::jsonb) as r (protocol text, settings jsonb, sites jsonb)
    where i.server_id = ${serverId}::bigint and i.protocol = r.protocol
      and (i.settings, i.sites) is distinct from (r.settings, r.sites)`.execute(tx)
}

/** A number with its noun, as a reason says it. */
export const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Taken away first and counted after: whoever comes meanwhile under this protocol waits, and finds it gone. */
const removeProtocols = async (tx: Db, server: StoredServer, leaving: readonly Protocol[]): Promise<void> => {
  if (leaving.length === 0) return
  await tx
    .deleteFrom('inbounds')
    .where('server_id', '=', server.id)
    .where('protocol', 'in', leaving)
    .execute()
  const { rows } = await sql<{ protocol: Protocol; accesses: number; options: number }>`
    select l.protocol,
      (select count(*)::int from accesses a where a.server_id = ${server.id}::bigint and a.protocol = l.protocol)
        + (select count(*)::int from held_accesses h
          where h.server_id = ${server.id}::bigint and h.is_live and h.protocol = l.protocol) as accesses,
      (select count(*)::int from paid_option_servers s join paid_options o on o.id = s.option_id
        where s.server_id = ${server.id}::bigint and o.protocol = l.protocol) as options
    from unnest(${leaving}::text[]) as l (protocol)`.execute(tx)
  for (const { protocol, accesses, options } of rows) {
    if (accesses > 0) {
      throw conflict(
        'protocols',
        `${protocol} is used by ${many(accesses, 'configuration')}, and has to stay`,
      )
    }
    if (options > 0) {
      throw conflict('protocols', `${protocol} is what ${many(options, 'paid option')} sells here`)
    }
  }
  await releaseInboundPorts(tx, server, leaving)
}

/** With the server locked. Its node is told of what changes there. */
export const changeServer = async (
  at: CatalogueTools,
  server: StoredServer,
  change: ServerChange,
): Promise<void> => {
  const { db: tx, vault, bus, now } = at
  const { id, node_id: nodeId } = server
  const offered = await listOffered(tx, id)
  const has = offered.map(({ protocol }) => protocol)
  const joining = (change.protocols ?? []).filter((protocol) => !has.includes(protocol))
  const leaving = has.filter((protocol) => change.protocols && !change.protocols.includes(protocol))
  const certificate = certificateAfter(server, change, now)
  const reality = realityAfter(server, offered, change)
  const oldPin = server.is_certificate_public ? null : pinOf(server.certificate)
  const names: ServerNames = {
    ...completeNames(reality, renames(change) ? [...has, ...joining] : joining),
    domain: change.domain ?? server.domain,
    pin: certificate ? certificate.pin : oldPin,
  }
  await tx
    .updateTable('servers')
    .set({
      ...(change.capacity !== undefined && { capacity: change.capacity }),
      ...(change.state !== undefined && { state: change.state }),
      domain: names.domain,
      reality_target: reality.realityTarget ?? null,
      reality_server_name: reality.realityServerName ?? null,
      other_reality_target: reality.otherTarget ?? null,
      other_reality_server_name: reality.otherServerName ?? null,
      ...(certificate && {
        certificate: certificate.certificate,
        certificate_key_sealed: vault.seal(certificate.key, certificateKeyContext),
        is_certificate_public: certificate.pin === null,
      }),
    })
    // What it offers stands elsewhere, and is a change of it all the same.
    .$if(joining.length + leaving.length > 0, (query) =>
      query.set((eb) => ({ version: eb('version', '+', 1) })),
    )
    .where('id', '=', id)
    .execute()
  await removeProtocols(tx, server, leaving)
  if (renames(change)) await renameInbounds(tx, id, offered, names)
  await insertInbounds(tx, vault, { serverId: id, nodeId }, joining, names)
  if (renames(change) || joining.length + leaving.length > 0) await touchNode(tx, bus, nodeId)
}
