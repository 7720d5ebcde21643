import type { Db } from '../../db/client.ts'

export const listLocations = (db: Db) =>
  db.selectFrom('locations').selectAll().where('deleted_at', 'is', null).orderBy('id').execute()
