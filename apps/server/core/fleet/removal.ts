import { protocols } from '@sallyport/contract/shapes'
import type { Db } from '../../db/client.ts'
import type { Bus } from '../kernel/bus.ts'
import { releaseInboundPorts } from './node-ports.ts'
import { touchNode } from './placements.ts'

/** Servers and nodes that go for good. Nobody has anything on them any more. */

/** It offers nothing from now on; its ports are free. */
export const closeServer = async (
  tx: Db,
  bus: Bus,
  server: { readonly id: number; readonly node_id: number },
): Promise<void> => {
  const closed = await tx
    .deleteFrom('inbounds')
    .where('server_id', '=', server.id)
    .returning('protocol')
    .execute()
  if (closed.length === 0) return
  await releaseInboundPorts(tx, server, protocols)
  await touchNode(tx, bus, server.node_id)
}

/** False while its node still has to hear that something left it. */
export const removeServer = async (tx: Db, id: number): Promise<boolean> => {
  const told = await tx
    .selectFrom('placements')
    .select('access_id')
    .where('server_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (told) return false
  await tx.deleteFrom('servers').where('id', '=', id).execute()
  return true
}

/**
 * It stays for the record, and has nothing by which anybody could be it: its keys are gone with its inbounds, that of its
 * certificate too.
 */
export const retireServer = async (
  tx: Db,
  bus: Bus,
  server: { readonly id: number; readonly node_id: number },
  now: number,
): Promise<void> => {
  await closeServer(tx, bus, server)
  await tx
    .updateTable('servers')
    .set({ state: 'retired', retired_at: now, certificate_key_sealed: new Uint8Array() })
    .where('id', '=', server.id)
    .execute()
}

/** With all that it was told and has told. Its machine is gone, so nobody has to hear of anything. */
export const removeNode = async (tx: Db, bus: Bus, id: number): Promise<void> => {
  const servers = await tx.selectFrom('servers').select(['id', 'node_id']).where('node_id', '=', id).execute()
  for (const server of servers) await closeServer(tx, bus, server)
  await tx.deleteFrom('placements').where('node_id', '=', id).execute()
  await tx.deleteFrom('held_accesses').where('node_id', '=', id).execute()
  await tx.deleteFrom('servers').where('node_id', '=', id).execute()
  for (const table of [
    'node_ports',
    'traffic_counters',
    'trials',
    'node_days',
    'node_hours',
    'node_status',
  ] as const) {
    await tx.deleteFrom(table).where('node_id', '=', id).execute()
  }
  await tx.deleteFrom('nodes').where('id', '=', id).execute()
  await bus.publish(tx, `auth:n:${id}`)
}
