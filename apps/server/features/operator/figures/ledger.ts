import type { operatorFigures } from '@sallyport/contract/operator/figures/figures'
import type { Handlers } from '../../../core/call.ts'
import { allowLongStatements } from '../../../core/kernel/jobs.ts'
import { inSnapshot } from '../../../db/client.ts'
import { usualPage } from '../common/search.ts'
import { accountNamed, shownTransfer } from './accounts.ts'
import { checkBooks, findAccountId, listTransferRows } from './queries.ts'

export const ledgerHandlers: Pick<Handlers<typeof operatorFigures>, 'listTransfers' | 'checkLedger'> = {
  listTransfers: async ({ db, query }) => {
    const { limit = usualPage, before, cause } = query
    const account = query.account === undefined ? undefined : accountNamed(query.account)
    const accountId = account && (await findAccountId(db, account))
    if (account && accountId === undefined) return []
    return (await listTransferRows(db, { limit, before, accountId, cause })).map(shownTransfer)
  },

  checkLedger: ({ db }) =>
    inSnapshot(db, async (tx) => {
      await allowLongStatements(tx)
      return checkBooks(tx)
    }),
}
