import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { type Database, openDatabase } from '../../../apps/server/db/client.ts'
import { migrate } from '../../../apps/server/db/migrate.ts'
import { loadTestDemo } from './demo-database.ts'
import { oncePerRun } from './once-per-run.ts'
import { startPostgres } from './postgres.ts'
import { quickFolder } from './quick-folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresAdminUrl: string | null
  }
}

const fill = async (url: string, work: (database: Database) => Promise<unknown>): Promise<void> => {
  const database = await openDatabase({ databaseUrl: url, dataDir: '' })
  await work(database)
  await database.close()
}

/** The databases that test files copy, named for what is in them: nothing yet, and the demo. */
const makeTemplates = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const at = (name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href
  await client.query('create database template_empty')
  await fill(at('template_empty'), migrate)
  await client.query('create database template_demo template template_empty')
  await fill(at('template_demo'), ({ db }) => loadTestDemo(db))
  await client.end()
}

const start = async () => {
  const server = await startPostgres(quickFolder())
  if (server) await makeTemplates(server.url)
  return server
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { made, leave } = await oncePerRun('postgres', start, async (server) => server?.stop())
  project.provide('postgresAdminUrl', made?.url ?? null)
  return leave
}
