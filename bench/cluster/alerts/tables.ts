import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { selfSignedCertificate } from '@sallyport/domain/vpn/certificate'
import type { Cause } from './stage.ts'
import { nowSeconds } from './watch.ts'

/** What is written straight into the tables, for no fault of a machine makes it so. */

export const endingCertificate = (days: number): string =>
  selfSignedCertificate({
    serverName: 'cluster.example',
    notBefore: nowSeconds() - 86_400,
    days: days + 1,
    keyPair: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    serial: randomBytes(16).toString('hex'),
  }).certificate

const now = 'extract(epoch from now())::bigint'

/** Longer ago than rules are patient. */
const waitingRows = [
  `insert into mails (letter_sealed, next_try_at, expires_at, created_at)
   select '\\x00', ${now} - 700, ${now} + 86400, ${now} - 700 from generate_series(1, 120)`,
  `with made as (insert into outbox (type, subject, data, created_at)
     select 'cluster.test', 'cluster:' || n, '{}', ${now} - 700 from generate_series(1, 1200) n returning id, subject, created_at)
   insert into webhook_deliveries (webhook_id, outbox_id, subject, next_try_at, created_at)
   select 1000000, id, subject, ${now} - 700, created_at from made`,
  `insert into webhook_inbox (provider, event_id, payload_sealed, received_at, next_try_at)
   values ('sandbox', 'cluster', '\\x00', ${now} - 1000, ${now} - 1000)`,
  `insert into orders (user_id, product, state, days, price, value_rub, price_steps, purchase, created_at, paid_at, next_try_at)
   select user_id, product, 'paid', days, price, value_rub, price_steps, purchase, ${now} - 1000, ${now} - 1000, ${now} - 700
   from orders where product = 'configs' order by id desc limit 1`,
  `update figures_state set ledger_checked_at = ${now} - 4 * 3600, ledger_imbalance = 0`,
]

const doneRows = [
  `delete from mails where letter_sealed = '\\x00'`,
  `delete from outbox where type = 'cluster.test'`,
  `delete from webhook_inbox where event_id = 'cluster'`,
  `delete from orders where state = 'paid' and created_at <= ${now} - 1000`,
]

/** So that jobs have stood still for longer than rules are patient. */
const turnedSeconds = 1000

export const forgottenTransaction: Cause = {
  title: 'a forgotten transaction locks what jobs work on, for a quarter of an hour',
  alerts: [
    ...['SallyportJobLate', 'SallyportDueWaits', 'SallyportLettersWaiting', 'SallyportWebhooksWaiting'],
    ...['SallyportPaymentsStuck', 'SallyportOrdersUngranted', 'SallyportLedgerUnchecked'],
  ],
  begin: async ({ instance, turnedEnv, connect, turnClock }) => {
    await instance.stop()
    const client = await connect()
    for (const sql of waitingRows) await client.query(sql)
    await client.query('begin')
    await client.query(
      'lock table mails, webhook_deliveries, webhook_inbox, orders, figures_state in exclusive mode',
    )
    await instance.start(turnedEnv)
    turnClock(turnedSeconds)
    return async () => {
      await client.query('rollback')
      for (const sql of doneRows) await client.query(sql)
      await client.end()
    }
  },
}

/** The books are checked by a job of every ten minutes, once an hour. */
export const wrongBooks: Cause = {
  title: 'seven roubles in a wallet that came from nowhere',
  alerts: ['SallyportLedgerImbalance'],
  begin: async ({ connect, turnClock }) => {
    const change = async (amount: number) => {
      const client = await connect()
      await client.query(
        `update ledger_accounts set balance = balance + $1
         where id = (select min(id) from ledger_accounts where kind = 'wallet' and user_id > 1000)`,
        [amount],
      )
      await client.query(`update figures_state set ledger_checked_at = 0`)
      await client.end()
    }
    await change(7)
    turnClock(2 * turnedSeconds)
    return async () => {
      await change(-7)
      turnClock(3 * turnedSeconds)
    }
  },
}
