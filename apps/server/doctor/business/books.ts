import { wordsOfAlert } from '@sallyport/domain/text/alert-words'
import { DatabaseError } from '../../db/driver.ts'
import { type Finding, lasting, ok, problem, skipped, warning } from '../finding.ts'
import { type Check, nowOf } from '../subject.ts'
import { listOpenAlerts, readFiguresState } from './queries.ts'

/** Whether money adds up, and whether the sums that are shown say what the ledger says. */

const judgeImbalance = (imbalance: number): Finding =>
  imbalance === 0
    ? ok('adds up: every balance is what moved, and every currency comes to nothing')
    : problem(
        `is out of balance by ${imbalance}`,
        'Touch nothing by hand. Keep a backup of this moment, and report it to the makers of Sallyport with sallyport ledger check.',
      )

const canceled = '57014'

export const ledgerCheck: Check = {
  name: 'ledger',
  about: 'whether all money adds up',
  run: async (subject) => {
    try {
      return [judgeImbalance(await subject.read((tx) => subject.imbalance(tx)))]
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== canceled) throw error
      return [skipped('takes longer than there is time for here; sallyport ledger check does it in full')]
    }
  },
}

const oldSeconds = 3 * 86_400

const judgeFigures = (
  { checkedAt, foldedTo }: { readonly checkedAt: number | null; readonly foldedTo: number | null },
  hasAlert: boolean,
  now: number,
): Finding => {
  if (hasAlert) return problem('did not say what the ledger says', wordsOfAlert('figures_wrong').en)
  if (foldedTo === null) return skipped('there is nothing to sum up yet')
  const age = now - (checkedAt ?? foldedTo)
  if (age <= oldSeconds) return ok(checkedAt === null ? 'are not checked yet' : 'say what the ledger says')
  return warning(`were last compared with the ledger ${lasting(age)} ago`, 'See what jobs says.')
}

export const figuresCheck: Check = {
  name: 'figures',
  about: 'whether the sums of statistics say what the ledger says',
  run: (subject) =>
    subject.read(async (tx) => {
      const alerts = await listOpenAlerts(tx)
      const hasAlert = alerts.some(({ kind }) => kind === 'figures_wrong')
      return [judgeFigures(await readFiguresState(tx), hasAlert, nowOf(subject))]
    }),
}
