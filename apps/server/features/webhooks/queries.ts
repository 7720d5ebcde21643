import type { Db } from '../../db/client.ts'

/** A payment whose order still waits for its money. */
export const findPayable = (db: Db, provider: string, publicId: string, now: number) =>
  db
    .selectFrom('payments as p')
    .innerJoin('orders as o', 'o.id', 'p.order_id')
    .select(['p.amount', 'p.currency'])
    .where('p.public_id', '=', publicId)
    .where('p.provider', '=', provider)
    .where('o.state', '=', 'created')
    .where('o.expires_at', '>', now)
    .executeTakeFirst()
