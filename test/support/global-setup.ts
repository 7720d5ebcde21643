import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresAdminUrl: string | null
  }
}

type Shared = { users: number; server: ReturnType<typeof startPostgres> }
const holder = globalThis as { [key: symbol]: Shared | undefined }
const key = Symbol.for('sallyport.test.postgres')

/** Vitest loads this file once for each project that names it; all of them share one cluster. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = holder[key] ?? { users: 0, server: startPostgres() }
  holder[key] = shared
  shared.users += 1
  const server = await shared.server
  project.provide('postgresAdminUrl', server?.url ?? null)
  return async () => {
    shared.users -= 1
    if (shared.users > 0) return
    holder[key] = undefined
    await server?.stop()
  }
}
