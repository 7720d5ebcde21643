import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { type Database, openDatabase } from '../../../apps/server/db/client.ts'
import './embedded-template.ts'
import { postgresAdminUrl } from './postgres-url.ts'

/** A database of its own for a test file, on the engine the project is run for. */
export interface TestDatabase {
  /** What the service is given: an address, or nothing for the embedded database in dataDir. */
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  remove(): Promise<void>
}

export const testEngine = (): 'embedded' | 'postgres' =>
  process.env.SALLYPORT_TEST_DB === 'postgres' ? 'postgres' : 'embedded'

/** Migrated and nothing more, or with the demo, which testSecretKey opens. */
type Content = 'empty' | 'demo'

const createEmbedded = async (dataDir: string, content: Content): Promise<TestDatabase> => {
  cpSync(inject('embeddedTemplates')[content], join(dataDir, 'database'), { recursive: true })
  return {
    databaseUrl: undefined,
    dataDir,
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

const onAdmin = async (adminUrl: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

const createPostgres = async (dataDir: string, adminUrl: string, content: Content): Promise<TestDatabase> => {
  const name = `test_${process.pid}_${Date.now()}_${Math.floor(performance.now() * 1000)}`
  await onAdmin(adminUrl, `create database ${name} template template_${content} strategy file_copy`)
  const databaseUrl = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
  return {
    databaseUrl,
    dataDir,
    remove: async () => {
      rmSync(dataDir, { recursive: true, force: true })
      await onAdmin(adminUrl, `drop database if exists ${name} with (force)`)
    },
  }
}

/**
 * The same database, waited for longer than customers would be let wait: on a machine that stands still for seconds a
 * test of rules shall see rules, not 503.
 */
export const patiently = (databaseUrl: string): string => {
  const url = new URL(databaseUrl)
  url.searchParams.set('connect_timeout', '30')
  for (const name of ['lock_timeout', 'statement_timeout']) url.searchParams.set(name, '30000')
  return url.href
}

export const createTestDatabase = async (
  engine = testEngine(),
  content: Content = 'empty',
): Promise<TestDatabase> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sallyport-test-'))
  if (engine === 'embedded') return createEmbedded(dataDir, content)
  const adminUrl = postgresAdminUrl()
  if (!adminUrl) throw new Error('The postgres project needs its global set-up')
  return createPostgres(dataDir, adminUrl, content)
}

/** A database with nothing in it for the tests of a file; call the result inside tests. */
export const useTestDatabase = (): (() => Database) => {
  let place: TestDatabase
  let database: Database
  beforeAll(async () => {
    place = await createTestDatabase()
    database = await openDatabase(place)
  })
  afterAll(async () => {
    await database.close()
    await place.remove()
  })
  return () => database
}
