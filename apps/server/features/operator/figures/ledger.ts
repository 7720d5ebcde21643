import type { operatorFigures } from '@sallyport/contract/operator/figures/figures'
import type { Handlers } from '../../../core/call.ts'
import { allowLongStatements } from '../../../core/kernel/jobs.ts'
import { checkBooks, type LedgerCheck } from '../../../core/ledger/check-books.ts'
import { type Db, inSnapshot } from '../../../db/client.ts'
import { accountNamed, shownTransfer } from '../common/ledger-accounts.ts'
import { usualPage } from '../common/search.ts'
import { findAccountId, listTransferRows } from './ledger-queries.ts'

const checks = new WeakMap<Db, Promise<LedgerCheck>>()

/** It reads everything there is: whoever asks while one is under way gets what that one finds. */
const checkOnce = (db: Db): Promise<LedgerCheck> => {
  const underWay = checks.get(db)
  if (underWay) return underWay
  const check = inSnapshot(db, async (tx) => {
    await allowLongStatements(tx)
    return checkBooks(tx)
  }).finally(() => checks.delete(db))
  checks.set(db, check)
  return check
}

export const ledgerHandlers: Pick<Handlers<typeof operatorFigures>, 'listTransfers' | 'checkLedger'> = {
  listTransfers: ({ db, query }) =>
    inSnapshot(db, async (tx) => {
      const { limit = usualPage, before, cause } = query
      const account = query.account === undefined ? undefined : accountNamed(query.account)
      const accountId = account && (await findAccountId(tx, account))
      if (account && accountId === undefined) return []
      return (await listTransferRows(tx, { limit, before, accountId, cause })).map(shownTransfer)
    }),

  checkLedger: ({ db }) => checkOnce(db),
}
