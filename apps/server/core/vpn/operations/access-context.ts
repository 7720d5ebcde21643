import type { Db } from '../../../db/client.ts'
import type { Bus } from '../../kernel/bus.ts'
import type { Vault } from '../../kernel/vault.ts'
import { findAccess, type ProductOwner, type ShownAccess } from '../access/reads.ts'

/** Everything that is done to an access is a function of whose it is and its id; features only map routes to them. */
export interface AccessContext {
  readonly db: Db
  readonly vault: Vault
  readonly bus: Bus
  readonly now: number
  readonly owner: ProductOwner
}

/** As it is after a change in the same transaction. */
export const showAfter = async (tx: Db, { owner, now }: AccessContext, id: number): Promise<ShownAccess> =>
  (await findAccess(tx, owner, now, id)) as ShownAccess
