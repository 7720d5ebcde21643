import type pg from 'pg'
import { type Alike, listLeft, noteFailures } from '../../apps/server/core/draining/drain-failures.ts'
import { countOn, hasCopies, listRunning, showDrain } from '../../apps/server/core/draining/drains.ts'
import { findDue, listCopies, listOverdue } from '../../apps/server/core/draining/end-copies-job.ts'
import { listClosed } from '../../apps/server/core/vpn/operations/blocked-accounts.ts'
import { listMachines, type MachineFilter } from '../../apps/server/features/operator/clouds/queries.ts'
import { listPromocodes } from '../../apps/server/features/operator/promocodes/queries.ts'
import { listAlerts, listAudit } from '../../apps/server/features/operator/settings/queries.ts'
import type { Sample } from '../sample.ts'
import type { Work } from '../scans.ts'

/** Servers that are emptied, closed accounts, and lists of operators that only grow. */

const early = 1_700_000_000

const statements = [
  // Ten servers on which everything has failed.
  `insert into server_drains (server_id, state, to_server_ids, total, started_at)
   select server_id, 'running', '{}', count(*), ${early} from accesses group by server_id order by count(*) desc limit 10`,
  `insert into drain_failures (server_id, access_id, reason, at)
   select a.server_id, a.id, 'no room', ${early} from accesses a join server_drains d on d.server_id = a.server_id`,
  `insert into held_accesses (access_id, term_id, server_id, node_id, location_id, protocol, options, credential_nonce, is_proxy,
     revisions, moved_at, until, is_live)
   select a.id, a.term_id, a.server_id, s.node_id, a.location_id, a.protocol, '{}', a.credential_nonce, false,
     '{}', ${early}, ${early} + 604800 + a.id, a.id % 5 > 0
   from accesses a join servers s on s.id = a.server_id where a.beside_id is null and a.id % 40 = 0`,
  `insert into subscription_fetches (subscription_id, at, app, outcome, revision)
   select id, ${early}, 'Happ', 'served', 0 from subscriptions on conflict do nothing`,
  `update users set is_blocked = true where id % 50 = 0`,
  `insert into operators (id, name, role, token_prefix, token_hash, created_at) overriding system value
   select 1000 + n, 'bench' || n, 'support', 'bench' || n, '\\x00', ${early} from generate_series(1, 20) n`,
  `insert into audit_log (operator_id, action, subject, details, created_at)
   select 1001 + n % 20, (array['changeUser', 'changeServer', 'createRefund'])[1 + n % 3], 'user:' || n % 50000, '{}', ${early} + n
   from generate_series(1, 500000) n`,
  `insert into alerts (kind, subject, details, created_at, resolved_at)
   select (array['node_gone', 'paid_late', 'stuck_mail'])[1 + n % 3], 'bench:' || n, '{}', ${early} + n,
     case when n % 1000 > 0 then ${early} + n end from generate_series(1, 100000) n`,
  `insert into promocodes (code_hash, code_sealed, product_type, days, operator_id, created_at)
   select sha256(convert_to('issued' || n, 'UTF8')), '\\x00', 'cloud_servers', 30, 1, 1700000000 - n
   from generate_series(1, 200) n`,
  `insert into machines (id, term_id, order_id, location_id, configuration_id, status, wanted, search_began_at, gone_at, problem, created_at)
   select 10000000 + n, t.id, 10000000 + n, 1, 1, (array['ordered', 'purchased', 'active'])[1 + n % 3],
     case when n % 100 = 1 then 'gone' else 'on' end, ${early}, case when n % 100 > 1 then ${early} + n end,
     case when n % 500 = 0 then 'sold out' end, ${early} + n
   from (select id, row_number() over (order by id) as n from terms where product = 'configs' limit 300000) t`,
]

export const seedDraining = async (client: pg.Client): Promise<void> => {
  for (const sql of statements) await client.query(sql)
}

const machineStates = ['needs_attention', 'ordered', 'purchased', 'active', 'leaving', 'gone'] as const

const machinesOf = (filter: Partial<MachineFilter>): MachineFilter => ({
  state: undefined,
  userId: undefined,
  limit: 50,
  offset: 0,
  ...filter,
})

const drainWorks = ({ serverId, termId, now }: Sample): readonly Work[] => {
  const drain = { server_id: serverId, state: 'running', to_server_ids: [], total: 0 } as const
  const page = { after: 0, failedBefore: now - 60, shut: [], limit: 50 }
  const shut: readonly Alike[] = [{ optionId: 1 }, { protocol: 'vless', isActive: true }]
  return [
    ['servers that are emptied', listRunning],
    ['what is left on a server', (tx) => listLeft(tx, serverId, page)],
    ['what is left on a server, of some kinds', (tx) => listLeft(tx, serverId, { ...page, shut })],
    [
      'what is left on a server where all has failed',
      async (tx) => {
        const [running = drain] = await listRunning(tx)
        await listLeft(tx, running.server_id, { ...page, failedBefore: early - 1 })
      },
      ['drain_failures'],
    ],
    [
      'why nothing of a kind can leave a server',
      async (tx) => {
        const [{ server_id: id } = drain] = await listRunning(tx)
        for (const alike of shut) {
          await noteFailures(tx, { serverId: id, alike, reason: 'none offers it' }, now)
        }
      },
      // A tenth of them is this server's.
      ['drain_failures'],
    ],
    [
      'how far a server is emptied where all has failed',
      async (tx) => showDrain(tx, (await listRunning(tx))[0] ?? drain),
    ],
    ['whether a server is empty', async (tx) => [await countOn(tx, serverId), await hasCopies(tx, serverId)]],
    ['copies, whether they are fetched', (tx) => listCopies(tx, 0)],
    ['copies whose time has passed', (tx) => listOverdue(tx, early + 604_900)],
    ['copies of a term that end', (tx) => findDue(tx, termId, now)],
    ['closed accounts, whether nodes have anything of them', (tx) => listClosed(tx, 0)],
  ]
}

export const drainingWorks = (sample: Sample): readonly Work[] => {
  const { userId, now } = sample
  const page = { limit: 50 }
  const promocodes = { limit: 50, now }
  return [
    ...drainWorks(sample),
    ['operator: the log', (tx) => listAudit(tx, page)],
    ['operator: the log of a subject', (tx) => listAudit(tx, { ...page, subject: 'user:5' })],
    ['operator: the log of an operator', (tx) => listAudit(tx, { ...page, operatorId: 1007 })],
    ['operator: the log of nobody', (tx) => listAudit(tx, { ...page, operatorId: 9999 })],
    ['operator: the log of an action', (tx) => listAudit(tx, { ...page, action: 'createOption' })],
    ['operator: keys', (tx) => listPromocodes(tx, promocodes)],
    ['operator: keys of a product', (tx) => listPromocodes(tx, { ...promocodes, product: 'paid_options' })],
    ['operator: keys that can be used', (tx) => listPromocodes(tx, { ...promocodes, isActive: true })],
    ['operator: keys that cannot', (tx) => listPromocodes(tx, { ...promocodes, isActive: false })],
    ['operator: alerts', (tx) => listAlerts(tx, { ...page, kinds: undefined })],
    ['operator: open alerts', (tx) => listAlerts(tx, { ...page, kinds: undefined, isOpen: true })],
    ['operator: alerts of machines', (tx) => listAlerts(tx, { ...page, kinds: ['node_gone'] })],
    ['operator: machines', (tx) => listMachines(tx, machinesOf({}))],
    ['operator: machines of a customer', (tx) => listMachines(tx, machinesOf({ userId }))],
    ...machineStates.map(
      (state): Work => [`operator: machines, ${state}`, (tx) => listMachines(tx, machinesOf({ state }))],
    ),
  ]
}
