import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../apps/server/db/client.ts'
import { migrate } from '../../apps/server/db/migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    embeddedTemplate: string
  }
}

/** Initialising and migrating PGlite takes seconds, so it is done once per run; test files copy the folder. */
export default async function setup(project: TestProject): Promise<() => void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sallyport-template-'))
  const database = await openDatabase({ dataDir })
  await migrate(database)
  await database.close()
  project.provide('embeddedTemplate', join(dataDir, 'database'))
  return () => rmSync(dataDir, { recursive: true, force: true })
}
