import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/databases/database.ts'
import { openPostgres } from './postgres.ts'

/** Something that takes connections and says nothing, as PostgreSQL does when its machine is overwhelmed. */
const listenInSilence = async (): Promise<string> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `postgres://nobody@127.0.0.1:${(server.address() as { port: number }).port}/nothing`
}

test('a connection that is not made in time is a failure of the connection, whichever way it is used', async () => {
  const engine = await openPostgres(await listenInSilence())
  onTestFinished(() => engine.close())
  const failure = { name: 'DatabaseError', code: '08006' }
  const ways = [engine.read('select 1', []), engine.acquire(), engine.check()]
  const [read, acquired, checked] = await Promise.allSettled(ways)
  expect(read).toMatchObject({ status: 'rejected', reason: failure })
  expect(acquired).toMatchObject({ status: 'rejected', reason: failure })
  expect(checked).toMatchObject({ status: 'rejected' })
})

test('a slow statement is waited for where its process cannot be told', async () => {
  const { databaseUrl = '', remove } = await createTestDatabase()
  onTestFinished(remove)
  const url = new URL(databaseUrl)
  // Processes are found by the name of their connections, and here they have another.
  url.searchParams.set('application_name', 'ledger')
  const engine = await openPostgres(url.href)
  onTestFinished(() => engine.close())
  const connection = await engine.acquire()
  onTestFinished(() => connection.release())
  await expect(connection.query('select pg_sleep(4)', [])).resolves.toMatchObject({ affected: 1 })
})
