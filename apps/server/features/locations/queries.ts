import type { Db } from '../../db/client.ts'

export const listLocations = (db: Db) => db.selectFrom('locations').selectAll().orderBy('id').execute()
