import { sql } from 'kysely'
import { forgetLoad } from '../apps/server/core/fleet/tombstones.ts'
import { holdDependants } from '../apps/server/core/vpn/operations/dependent-accesses.ts'
import { sumLoad } from '../apps/server/features/operator/fleet/load-queries.ts'
import { listNodes } from '../apps/server/features/operator/fleet/queries.ts'
import {
  countOnServer,
  findServer,
  listServers,
} from '../apps/server/features/operator/fleet/server-queries.ts'
import type { Sample } from './sample.ts'
import type { Work } from './scans.ts'

/** What operators see of the fleet and change in it. */

export const fleetWorks = ({ nodeId, serverId, now }: Sample): readonly Work[] => {
  const hours = Array.from({ length: 24 }, (_, at) => now - (24 - at) * 3600)
  const names = { personal: 'instances', isReachedAnew: true } as const
  const ports = { personal: 'ports', isReachedAnew: true } as const
  return [
    ['servers', (tx) => listServers(tx, {}, 50)],
    ['servers, a later page', (tx) => listServers(tx, { before: 5000 }, 50)],
    ['servers of a location', (tx) => listServers(tx, { location_id: 1 }, 50)],
    ['servers of a node', (tx) => listServers(tx, { node_id: nodeId }, 50)],
    ['servers that are retired', (tx) => listServers(tx, { state: 'retired' }, 50)],
    ['servers that sell', (tx) => listServers(tx, { state: 'selling' }, 50)],
    ['nodes, a later page', (tx) => listNodes(tx, { limit: 50, before: 5000 })],
    ['a server', (tx) => findServer(tx, serverId)],
    ['who is on a server', (tx) => countOnServer(tx, serverId)],
    [
      'what has names of a server in it',
      (tx) => holdDependants(tx, { of: { serverId }, ...names }),
      ['bridges'],
    ],
    [
      'what has the address of a node in it',
      (tx) => holdDependants(tx, { of: { nodeId }, ...ports }),
      ['bridges'],
    ],
    [
      'owners of what is on a server',
      (tx) =>
        sql`select distinct t.user_id from inbounds n join accesses a on a.server_id = n.server_id
          and a.protocol = n.protocol join terms t on t.id = a.term_id where n.server_id = ${serverId}`.execute(
          tx,
        ),
    ],
    ['the load of a node', (tx) => sumLoad(tx, nodeId, hours, now)],
    ['old load', (tx) => forgetLoad(tx, now)],
  ]
}
