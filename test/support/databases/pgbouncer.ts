import { chown, mkdtemp, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pgbouncer } from '../pieces.ts'
import { freePort } from '../ports.ts'
import { startTethered } from '../tethered.ts'
import { unprivilegedOwner } from './postgres.ts'

export interface Pooler {
  /** The same database, by way of the pooler. */
  readonly url: string
  stop(): Promise<void>
}

/** PgBouncer before one database, with a connection for each transaction, set up as deploy/pgbouncer has it. */
export const startPgbouncer = async (databaseUrl: string, poolSize = 10): Promise<Pooler> => {
  const program = pgbouncer.find()
  if (!program) throw new Error('PgBouncer is not on this machine')
  const to = new URL(databaseUrl)
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-pgbouncer-'))
  const owner = unprivilegedOwner()
  if (owner) await chown(folder, owner.uid, owner.gid)
  const users = join(folder, 'users.txt')
  await writeFile(users, `"${to.username}" "${to.password}"\n`, { mode: 0o644 })
  const settings = `[databases]
* = host=${to.hostname} port=${to.port} connect_query='set statement_timeout = 5000; set lock_timeout = 2000'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = transaction
max_client_conn = 1000
default_pool_size = ${poolSize}
server_login_retry = 1
`
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, settings, { mode: 0o644 })
  const server = await startTethered([program, file], { folder, signal: 'TERM', ...owner })
  const deadline = Date.now() + 30_000
  while (!(await answers(port))) {
    if (Date.now() > deadline) throw new Error('PgBouncer did not start')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { url: Object.assign(new URL(databaseUrl), { port }).href, stop: server.stop }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
