import type { RestoreReport } from './restored-place.ts'

const timeText = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`

const lostText = (newest: number | null, now: number): string =>
  newest === null
    ? 'Nothing was written down in it yet.'
    : `The last thing written down in it is of ${timeText(newest)}. What came after, until now (${timeText(now)}), is lost.`

/** What came back, what did not, and what a person does next. */
export const restoreText = (
  report: RestoreReport,
  { isPostgres, now }: { readonly isPostgres: boolean; readonly now: number },
): string => {
  const { ledger } = report
  const aside = report.kept_aside ? `What was there before is in ${report.kept_aside}.\n` : ''
  const files = report.files.filter((file) => !file.startsWith(`${report.place}/`))
  const written = files.length > 0 ? `Written: ${files.join(', ')}.\n` : ''
  const steps = [
    ...files
      .filter((file) => file.endsWith('.from-backup'))
      .map((file) => `compare ${file} with the file beside it, and keep what belongs here`),
    isPostgres
      ? 'start PostgreSQL, then: sallyport migrate, sallyport start, sallyport backup'
      : 'sallyport start, then: sallyport backup',
    'sallyport node list: agents come back by themselves; a node whose key is younger than the backup needs a new token',
    ...(report.pending_withdrawals > 0
      ? [
          `sallyport withdrawal list: ${report.pending_withdrawals} are pending; compare each with your bank before you pay it, for it may be paid`,
        ]
      : []),
    'compare the providers’ lists of payments and refunds of the time that is lost with sallyport order list',
    'sallyport operator list: whoever was switched off, and tokens that were revoked, in the time that is lost are as before',
  ]
  return `Restored ${report.backup} to ${report.place}.
${aside}${written}
Checked: the books of ${ledger.accounts} accounts and ${ledger.transfers} transfers are exact, the secret key fits, this release knows all
of it. ${report.customers} customers, ${report.orders} orders, ${report.active_terms} running terms, ${report.nodes} nodes.

${lostText(report.newest_at, now)}

Done for that: operators sign in again (${report.operator_sessions} sessions ended${report.customer_sessions > 0 ? `, and ${report.customer_sessions} of customers` : ''}); ${report.payments_to_ask} payments that were pending are
asked for at their providers; no number that was given out comes again; ${report.broadcasts_stopped} broadcasts were stopped; what has lapsed is
not destroyed before ${timeText(report.held_until)}.

What comes next:
${steps.map((step) => `  - ${step}`).join('\n')}`
}
