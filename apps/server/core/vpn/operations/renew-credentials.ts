import { randomBytes } from 'node:crypto'
import type { Connection } from '@sallyport/contract/customer/shapes'
import { ApiError } from '@sallyport/contract/errors'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../db/client.ts'
import { endCopiesOf, findNodesOf, lockNodes, placeAgain } from '../../fleet/placements.ts'
import type { Bus } from '../../kernel/bus.ts'
import type { Vault } from '../../kernel/vault.ts'
import { lockTermsOf, type Term } from '../../terms/terms.ts'
import { findAccessRows } from '../access/access-row-reads.ts'
import { lockEntriesTo } from '../access/bridges.ts'
import { renewedEdit } from '../access/instances.ts'
import { lockAccess } from '../access/locked-access.ts'
import { findAccess } from '../access/reads.ts'
import { listAccessesOf, listWithProxies, updateAccess } from '../access/rows.ts'
import type { AccessContext } from './access-context.ts'
import { toConnection } from './config-view.ts'
import { listStandaloneProxies } from './standalone-proxies.ts'

/**
 * New credentials where the old ones may be known to others. Everything is derived from a nonce, so a fresh one leaves nothing
 * of the old behind, and nothing brings them back. What is off gets them too and comes back with them.
 */

interface Renewer {
  readonly vault: Vault
  readonly bus: Bus
}

/** What customers wrote holds secrets of its own. */
const listEdited = async (tx: Db, ids: readonly number[]) => {
  const rows = await tx
    .selectFrom('accesses')
    .select('id')
    .where('id', 'in', ids)
    .where('xray_config_sealed', 'is not', null)
    .execute()
  return findAccessRows(
    tx,
    rows.map((row) => row.id),
  )
}

const storeNonces = async (tx: Db, ids: readonly number[]): Promise<void> => {
  const nonces = ids.map(() => randomBytes(16))
  await sql`
    update accesses a set credential_nonce = n.nonce
    from unnest(${[...ids]}::bigint[], ${nonces}::bytea[]) n (id, nonce) where a.id = n.id`.execute(tx)
}

/** The caller locks their terms, and names the proxies beside them too. Whatever leads to them over a bridge follows. */
const renew = async (tx: Db, { vault, bus }: Renewer, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  const entries = await lockEntriesTo(tx, ids)
  const told = [...new Set([...ids, ...entries])]
  await lockNodes(tx, await findNodesOf(tx, told))
  await endCopiesOf(tx, bus, ids)
  const before = await listEdited(tx, ids)
  await storeNonces(tx, ids)
  const after = await findAccessRows(tx, [...before.keys()])
  for (const [id, from] of before) {
    const to = after.get(id)
    if (to) await updateAccess(tx, id, { xray_config_sealed: renewedEdit(vault, from, to) })
  }
  await placeAgain(tx, bus, told, true)
}

/** Everything that a customer has, or what came with one product. Returns how many, each with the proxy beside it. */
export const renewEverything = async (
  tx: Db,
  at: Renewer,
  userId: number,
  product?: Term['product'],
): Promise<number> => {
  const terms = await lockTermsOf(tx, [userId], product)
  if (terms.length === 0) return 0
  const accesses = await listAccessesOf(
    tx,
    terms.map((term) => term.id),
  )
  await renew(
    tx,
    at,
    accesses.map((access) => access.id),
  )
  return accesses.filter((access) => access.beside_id === null).length
}

/** One configuration of whatever protocol, with the proxy beside it. */
export const resetCredentials = (context: AccessContext, id: number): Promise<Connection> =>
  inTransaction(context.db, async (tx) => {
    const { owner, vault, now } = context
    const access = await lockAccess(tx, owner, id)
    if (!access) throw new ApiError('NOT_FOUND')
    const all = await listWithProxies(tx, [id])
    await renew(
      tx,
      context,
      all.map((one) => one.id),
    )
    const row = await findAccess(tx, owner, now, id)
    if (row) return toConnection(vault, row)
    const [standalone] = await listStandaloneProxies({ ...context, db: tx }, false, id)
    if (!standalone) throw new Error(`Access ${id} is neither a configuration nor a proxy`)
    return { connection_url: standalone.connection_url, server_id: access.server_id }
  })
