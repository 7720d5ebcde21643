import { openDatabase } from '../../apps/server/db/client.ts'
import { migrate } from '../../apps/server/db/migrate.ts'
import { startPostgres } from '../../test/support/databases/postgres.ts'
import { measureConnections } from './connections.ts'
import { measureRows } from './rows.ts'

/** node bench/growing/main.ts: the figures of docs/scaling.md, on a PostgreSQL that keeps what it is given. */
const durable = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }
const server = await startPostgres(undefined, { settings: durable })
if (!server) throw new Error('PostgreSQL is not on this machine')
const stay = setInterval(() => undefined, 1000)
try {
  const database = await openDatabase({ databaseUrl: server.url, dataDir: '' })
  await migrate(database)
  await database.close()
  const { grown, deleted } = await measureRows(server.url, 200_000)
  console.table(grown)
  console.table(deleted)
  const ways = [
    { name: 'pool 5, 2 lanes', pool: 5, readLanes: 2 },
    { name: 'pool 10, 4 lanes', pool: 10, readLanes: 4 },
    { name: 'pool 20, 6 lanes', pool: 20, readLanes: 6 },
    { name: 'pool 40, 8 lanes', pool: 40, readLanes: 8 },
    { name: 'pool 10, 4 lanes by PgBouncer', pool: 10, readLanes: 4, isPooled: true as const },
  ]
  console.table(await measureConnections(server.url, ways, 5, 2))
} finally {
  await server.stop()
  clearInterval(stay)
}
