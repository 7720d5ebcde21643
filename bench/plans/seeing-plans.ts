import type pg from 'pg'
import { findEndingCertificates, findSilentNodes } from '../../apps/server/core/alerts/findings.ts'
import { isHeldAfterRestore, noteRestored } from '../../apps/server/core/kernel/restored.ts'
import { firstCertificateEnd } from '../../apps/server/core/seeing/certificates.ts'
import { FleetFiguresReader } from '../../apps/server/core/seeing/fleet-figures.ts'
import { lockState, readState } from '../../apps/server/core/statistics/fold.ts'
import { lookAtPlaces, lookNow } from '../../apps/server/core/statistics/looks.ts'
import { listBusy, readNodes, storeVerdict, tell } from '../../apps/server/core/upgrades/nodes.ts'
import { showUpgrades, showUpgradeWithNodes } from '../../apps/server/core/upgrades/show.ts'
import {
  findStopped,
  findUpgrade,
  insertNodes,
  insertNodesBack,
  insertUpgrade,
  listEnrolled,
  listMoving,
  listUpgrades,
  lockUpgrade,
  type Upgrade,
  updateUpgrade,
} from '../../apps/server/core/upgrades/upgrades.ts'
import type { Db } from '../../apps/server/db/client.ts'
import {
  countLateDeliveries,
  listCloudIds,
  listJobRuns,
  listOpenAlerts,
  listOverdue,
  listNodes as nodesForDoctor,
  readFiguresState,
  readMirrors,
  readProviderActivity,
} from '../../apps/server/doctor/business/queries.ts'
import {
  countInstances,
  listLongTransactions,
  readConnections,
  readUpkeep,
} from '../../apps/server/doctor/database/queries.ts'
import { findNode } from '../../apps/server/features/agents/queries.ts'
import type { Sample } from '../sample.ts'
import type { Work } from '../scans.ts'

/** What is read again and again to see how the service is: for metrics, for the doctor, and for agents that are upgraded. */

const early = 1_700_000_000

const statements = [
  // Years of releases, all over but the last.
  `insert into agent_upgrades (release, state, waves, pause_seconds, most_ill, is_automatic, operator_id, created_at)
   select 'release' || n, case when n = 500 then 'running' else 'done' end, 3, 60, 1, true, 1001, ${early} + n
   from generate_series(1, 500) n`,
  `insert into agent_upgrade_nodes (upgrade_id, node_id, wave, release, state, release_before, told_at)
   select u.id, n.id, 1 + n.id % 3, u.release, case when u.state = 'running' then 'waiting' else 'done' end, 'before', u.created_at
   from agent_upgrades u cross join nodes n`,
  `insert into uncarried (access_id, node_id, server_id, reason, is_unfit, since, carried_at, next_step_at)
   select a.id, s.node_id, a.server_id, 'port', false, ${early}, case when a.id % 1000 > 0 then ${early} end, ${early}
   from accesses a join servers s on s.id = a.server_id where a.id % 4 = 0`,
]

export const seedSeeing = async (client: pg.Client): Promise<void> => {
  for (const sql of statements) await client.query(sql)
}

/** As a scrape of metrics asks, which says nothing of what fails. */
const readFigures = async (tx: Db, now: number): Promise<void> => {
  let failure: unknown
  const reader = new FleetFiguresReader(
    tx,
    () => now,
    (error) => {
      failure = error
    },
  )
  if (!(await reader.read())) throw failure ?? new Error('No figures within their time')
}

const last = async (tx: Db): Promise<Upgrade> =>
  (await listUpgrades(tx, { limit: 1, before: undefined }))[0] as Upgrade

const upgradeWorks = (nodeId: number, now: number): readonly Work[] => [
  ['upgrades of agents that go on', (tx) => listMoving(tx)],
  ['an upgrade that stopped', (tx) => findStopped(tx)],
  [
    'a round of an upgrade',
    async (tx) => {
      const upgrade = await last(tx)
      await lockUpgrade(tx, upgrade.id)
      const nodes = await readNodes(tx, upgrade.id, 1)
      await listBusy(
        tx,
        nodes.map((node) => node.node_id),
      )
      const [node] = nodes
      if (!node) throw new Error('An upgrade without nodes')
      await tell(tx, upgrade.id, node, now)
      await storeVerdict(tx, upgrade.id, node.node_id, { state: 'done', now })
      await updateUpgrade(tx, upgrade.id, { state: 'waiting' })
    },
  ],
  ['operator: upgrades', async (tx) => showUpgrades(tx, await listUpgrades(tx, { limit: 50, before: 400 }))],
  ['operator: an upgrade', async (tx) => showUpgradeWithNodes(tx, (await findUpgrade(tx, 250)) as Upgrade)],
  [
    'operator: an upgrade begins, and one back',
    async (tx) => {
      const { id } = await last(tx)
      const made = { waves: 1, pauseSeconds: 60, mostIll: 0, isAutomatic: true, operatorId: 1001, now }
      await updateUpgrade(tx, id, { state: 'done' })
      const begun = (await insertUpgrade(tx, { ...made, release: 'new' })) as Upgrade
      const nodes = await listEnrolled(tx, 'new', now)
      await insertNodes(tx, begun, new Map(nodes.map((node) => [node, 1])))
      await updateUpgrade(tx, begun.id, { state: 'done' })
      const back = (await insertUpgrade(tx, { ...made, release: null, backOf: id })) as Upgrade
      await insertNodesBack(tx, back, id)
    },
  ],
  ['an agent that asks what is wanted', (tx) => findNode(tx, nodeId)],
]

const doctorWorks = (now: number): readonly Work[] => [
  ['doctor: providers and their events', (tx) => readProviderActivity(tx, now - 7 * 86_400)],
  ['doctor: rounds of jobs', (tx) => listJobRuns(tx)],
  ['doctor: open alerts', (tx) => listOpenAlerts(tx)],
  ['doctor: what is overdue', (tx) => listOverdue(tx, now - 600)],
  ['doctor: late events for endpoints', (tx) => countLateDeliveries(tx, now - 600)],
  ['doctor: nodes', (tx) => nodesForDoctor(tx)],
  [
    'doctor: the rest of the business',
    async (tx) => {
      await readMirrors(tx)
      await readFiguresState(tx)
      await listCloudIds(tx)
      await isHeldAfterRestore(tx, now)
    },
  ],
  [
    'doctor: the database',
    async (tx) => {
      await readConnections(tx)
      await countInstances(tx)
      await listLongTransactions(tx, 60)
      await readUpkeep(tx)
    },
  ],
]

export const seeingWorks = ({ nodeId, now }: Sample): readonly Work[] => [
  // Letters that wait are counted up to a bound, and they are all there is.
  ['figures of the whole service', (tx) => readFigures(tx, now), ['mails']],
  ['the first certificate to end', (tx) => firstCertificateEnd(tx)],
  ['certificates that end', (tx) => findEndingCertificates(tx, now)],
  ['nodes that are silent', (tx) => findSilentNodes(tx)],
  // Whether there are many is seen by the first ten thousand.
  ['operator: the fleet now', (tx) => lookNow(tx, now), ['traffic_counters']],
  ['operator: places now', (tx) => lookAtPlaces(tx, now)],
  ['how far sums are', async (tx) => [await readState(tx), await lockState(tx)]],
  ['a restore that is noted', (tx) => noteRestored(tx, now)],
  ...upgradeWorks(nodeId, now),
  ...doctorWorks(now),
]
