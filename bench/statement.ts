import type { CompiledQuery } from 'kysely'
import type { Db } from '../apps/server/db/client.ts'

/** What one of the product's reads asks a database, with the values it gives; no database is asked. */
export const statementOf = async (read: (db: Db) => Promise<unknown>): Promise<CompiledQuery> => {
  let asked: CompiledQuery | undefined
  const executeQuery = async (query: CompiledQuery) => {
    asked = query
    return { rows: [] }
  }
  await read({ executeQuery } as unknown as Db)
  if (!asked) throw new Error('This read asks nothing')
  return asked
}
