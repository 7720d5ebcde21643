import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../../apps/server/db/client.ts'
import { migrate } from '../../../apps/server/db/migrate.ts'
import { loadTestDemo } from './demo-database.ts'
import { oncePerRun } from './once-per-run.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folders of embedded databases to copy: with nothing in it yet, and with the demo. */
    embeddedTemplates: { readonly empty: string; readonly demo: string }
  }
}

/** Initialising and migrating PGlite takes seconds, so it is done once per run; test files copy the folder. */
const makeTemplates = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-template-'))
  const [empty, demo] = [join(folder, 'empty'), join(folder, 'demo')]
  const migrated = await openDatabase({ dataDir: empty })
  await migrate(migrated)
  await migrated.close()
  cpSync(empty, demo, { recursive: true })
  const filled = await openDatabase({ dataDir: demo })
  await loadTestDemo(filled.db)
  await filled.close()
  return folder
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { made, leave } = await oncePerRun('embedded', makeTemplates, async (folder) =>
    rmSync(folder, { recursive: true, force: true }),
  )
  const at = (name: string) => join(made, name, 'database')
  project.provide('embeddedTemplates', { empty: at('empty'), demo: at('demo') })
  return leave
}
