import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/client.ts'
import { deleteTermSubscriptions } from '../accounts/subscription-keys.ts'
import type { Job } from '../kernel/jobs.ts'
import { isHeldAfterRestore } from '../kernel/restored.ts'
import type { GrantContext, Products } from '../sales/products.ts'
import { type RenewalTill, renewAutomatically } from './auto-renewal-job.ts'
import { type TermProduct, termProductOf, termProductsOf } from './term-product.ts'
import { lockTermsOf, type Term, tellingOf, termColumns, withEntries } from './terms.ts'

/** The ends of terms: switched off at once, gone for good after the grace. */

const batchSize = 200

interface ExpiryParts extends Omit<GrantContext, 'now'> {
  readonly db: Db
  readonly products: Products
}

const idsOf = (terms: readonly Term[]): number[] => terms.map((term) => term.id)

const lockDue = async (tx: Db, product: TermProduct, now: number, except: readonly number[]) => {
  const { rows } = await sql<Term>`
    select ${termColumns} from terms t
    where t.state = 'active' and t.product = ${product.name} and t.expires_at <= ${now} and t.stopped_at is null
      and t.id <> all(${except}::bigint[])
    order by t.expires_at, t.id limit ${batchSize} for update skip locked`.execute(tx)
  return rows
}

const markExpired = async (tx: Db, terms: readonly Term[], now: number): Promise<void> => {
  await tx
    .updateTable('terms')
    .set({ state: 'expired' })
    .where('id', 'in', idsOf(terms))
    .returning(tellingOf('term.ended', now).as('is_announced'))
    .execute()
}

type LockBatch = (tx: Db, except: readonly number[]) => Promise<Term[]>

/**
 * Each batch is one transaction, and rival schedulers skip each other's rows. What has an entry that somebody has is left for the next round, and keeps
 * nobody who comes after it waiting. Returns how many.
 */
const inBatches = async (
  db: Db,
  except: readonly number[],
  lock: LockBatch,
  act: (tx: Db, terms: readonly Term[]) => Promise<void>,
): Promise<number> => {
  const passed = new Set(except)
  for (let total = 0; ; ) {
    const { taken, done } = await inTransaction(db, async (tx) => {
      const taken = await lock(tx, [...passed])
      const done = await withEntries(tx, taken)
      if (done.length > 0) await act(tx, done)
      return { taken, done: new Set(idsOf(done)) }
    })
    for (const { id } of taken) if (!done.has(id)) passed.add(id)
    total += done.size
    if (taken.length < batchSize) return total
  }
}

/** Switches off what has ended. */
const expireOf = (at: ExpiryParts, product: TermProduct, now: number, except: readonly number[]) =>
  inBatches(
    at.db,
    except,
    (tx, passed) => lockDue(tx, product, now, passed),
    async (tx, due) => {
      await markExpired(tx, due, now)
      await product.switchOff(tx, { ...at, now }, due)
    },
  )

/** Returns how many. Those excepted are left on for another round. */
export const expireTerms = async (
  at: ExpiryParts,
  now: number,
  except: readonly number[] = [],
): Promise<number> => {
  let total = 0
  for (const product of termProductsOf(at.products)) total += await expireOf(at, product, now, except)
  return total
}

/** They go for good; the rows stay, because orders speak of them. Held by the caller. */
export const deleteTerms = async (
  tx: Db,
  at: GrantContext,
  product: TermProduct,
  terms: readonly Term[],
): Promise<void> => {
  if (terms.length === 0) return
  await product.destroy(tx, at, terms)
  await deleteTermSubscriptions(tx, idsOf(terms))
  const running = idsOf(terms.filter((term) => term.state === 'active'))
  await tx
    .updateTable('terms')
    .set({ state: 'deleted', auto_renewal: false, auto_renewal_days: null })
    .where('id', 'in', idsOf(terms))
    .returning(
      sql`case when terms.id = any(${running}::bigint[]) then ${tellingOf('term.ended', at.now)} end`.as(
        'told',
      ),
    )
    .execute()
}

const lockLapsed = async (
  tx: Db,
  product: TermProduct,
  now: number,
  except: readonly number[],
): Promise<Term[]> => {
  const { rows } = await sql<Term>`
    select ${termColumns} from terms t
    where t.state = 'expired' and t.product = ${product.name} and t.expires_at <= ${now - product.graceSeconds}
      and t.id <> all(${except}::bigint[])
    order by t.expires_at, t.id limit ${batchSize} for update skip locked`.execute(tx)
  return rows
}

/** Past the days in which they could be renewed; not while what was renewed may be lost with an older state. */
export const deleteLapsed = async (at: ExpiryParts, now: number): Promise<number> => {
  let total = 0
  if (await isHeldAfterRestore(at.db, now)) return total
  for (const product of termProductsOf(at.products)) {
    total += await inBatches(
      at.db,
      [],
      (tx, passed) => lockLapsed(tx, product, now, passed),
      (tx, lapsed) => deleteTerms(tx, { ...at, now }, product, lapsed),
    )
  }
  return total
}

/** All of a customer, switched off at once. Returns how many of each product. */
export const deleteTermsOf = async (
  tx: Db,
  at: GrantContext & { readonly products: Products },
  userId: number,
): Promise<ReadonlyMap<string, number>> => {
  const terms = Map.groupBy(await lockTermsOf(tx, [userId]), (term) => term.product)
  for (const [name, ofProduct] of terms) {
    await deleteTerms(tx, at, termProductOf(at.products, name), ofProduct)
  }
  return new Map([...terms].map(([name, ofProduct]) => [name, ofProduct.length]))
}

/** Renewal first, also after the service was away: nothing is switched off that could be paid. */
export const renewAndExpireJob: Job<RenewalTill> = {
  name: 'renew and expire',
  everySeconds: 10,
  run: async (at, now) => expireTerms(at, now, await renewAutomatically(at, now)),
}

export const deleteLapsedJob: Job<ExpiryParts> = {
  name: 'delete lapsed',
  everySeconds: 600,
  run: deleteLapsed,
}
