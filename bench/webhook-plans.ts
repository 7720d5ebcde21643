import type pg from 'pg'
import {
  findFailingWebhooks,
  findOldRates,
  findStuckMail,
  findWaitingPayments,
} from '../apps/server/core/alerts/findings.ts'
import { announce } from '../apps/server/core/kernel/outbox.ts'
import { findDueWebhooks, noteSuccess, takeHeads } from '../apps/server/core/webhooks/lines.ts'
import { listDeliveries } from '../apps/server/features/operator/webhooks/queries.ts'
import type { Work } from './scans.ts'

/** Two endpoints: one that took everything, one that was away for a day. */

const early = 1_700_000_000
const events = 300_000

const statements = [
  `insert into webhooks (url, events, secret_sealed, created_at)
   select 'https://crm.example.com/' || n, '{order.paid}', '\\x00', ${early} from generate_series(1, 2) n`,
  `insert into outbox (type, subject, data, created_at)
   select 'order.paid', 'order:' || n / 2, '{}', ${early} + n from generate_series(1, ${events}) n`,
  `insert into webhook_deliveries (webhook_id, outbox_id, subject, attempts, next_try_at, delivered_at, created_at)
   select w.id, o.id, o.subject, 1, case when w.id = 2 and o.id % 10 = 0 then o.created_at end,
     case when w.id = 1 or o.id % 10 <> 0 then o.created_at end, o.created_at from webhooks w cross join outbox o`,
]

export const seedWebhooks = async (client: pg.Client): Promise<void> => {
  for (const sql of statements) await client.query(sql)
}

export const webhookWorks = (): readonly Work[] => {
  const now = early + events
  return [
    ['an event', (tx) => announce(tx, { type: 'order.paid', subject: 'order:1', data: {}, now })],
    ['endpoints with something due', (tx) => findDueWebhooks(tx, now, [])],
    ['the heads of lines', (tx) => takeHeads(tx, 2, 8, now)],
    ['an endpoint that accepts', (tx) => noteSuccess(tx, 2, now)],
    ['operator: deliveries', (tx) => listDeliveries(tx, 1, { limit: 100, before: undefined })],
    ['payments that wait', (tx) => findWaitingPayments(tx, early)],
    ['letters that wait', (tx) => findStuckMail(tx, now)],
    ['old rates', (tx) => findOldRates(tx, now)],
    ['endpoints that fail', (tx) => findFailingWebhooks(tx, now)],
  ]
}
