import { Vault } from '../../../apps/server/core/kernel/vault.ts'
import { createOperator } from '../../../apps/server/core/operators/operators.ts'
import { openDatabase } from '../../../apps/server/db/client.ts'
import { migrate } from '../../../apps/server/db/migrate.ts'
import { loadDemoInto } from './demo-database.ts'

/** Production has no demo: here the catalogue is loaded for it, and its first operator made. */
export const fillPostgres = async (databaseUrl: string, secretKey: string): Promise<string> => {
  const database = await openDatabase({ databaseUrl, dataDir: '' })
  await migrate(database)
  const { db } = database
  const now = Math.floor(Date.now() / 1000)
  await loadDemoInto(db, new Vault(Buffer.from(secretKey, 'base64')), now)
  const token = await createOperator(db, { name: 'crash', role: 'owner', now })
  await database.close()
  return token
}
