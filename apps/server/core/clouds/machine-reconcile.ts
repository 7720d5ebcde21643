import { judgeListed, type OrderedMachine } from '@sallyport/domain/lifecycle/machine-orphans'
import { dayOf } from '@sallyport/domain/time/period'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { Machine as Listed } from '../../ports/clouds.ts'
import { raiseAlert } from '../kernel/alerts.ts'
import type { Job } from '../kernel/jobs.ts'
import { isHeldAfterRestore } from '../kernel/restored.ts'
import { type Cloud, forEachAsked } from './accounts.ts'
import { installationOf } from './machine-boot.ts'
import { isHome, readSigns } from './machine-node.ts'
import { lose } from './machine-operations.ts'
import { type MachineContext, note, type StepContext } from './machine-step-context.ts'
import { findMachine, type Machine } from './machines.ts'

/** Paid without a machine, a machine without an order, a machine that should be gone: looked for, and put right or told. */

/** Unknown to the provider for this long, and silent: it is lost. */
const lostAfterSeconds = 120

/** Those that have something to do and nothing planned; not those that wait for a person. */
const wakeForgotten = async (db: Db, now: number): Promise<void> => {
  await sql`
    update machines m set next_step_at = ${now} where gone_at is null and next_step_at is null
    and not (status = 'active' and wanted = 'on' and is_on)
    and (wanted = 'gone' or is_on <> (wanted = 'on') or (status <> 'active' and wanted = 'on') or is_abandoned)
    and not (wanted = 'on' and ref is null and not is_abandoned and problem is not null
      and exists (select from clouds c where c.id = m.cloud_id and c.kind = 'manual'))`.execute(db)
}

interface Known extends OrderedMachine {
  readonly order: number
}

const listKnown = async (db: Db, orders: readonly number[]): Promise<ReadonlyMap<number, Known>> => {
  const { rows } = await sql<Known>`
    select order_id as order, cloud_id as "cloudId", ref, asked_at is not null as "isAsked",
      gone_at is not null as "isGone", created_at as "orderedAt"
    from machines where order_id = any(${orders}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.order, row]))
}

const knownOf = async (db: Db, order: number): Promise<Known | undefined> =>
  (await listKnown(db, [order])).get(order)

const orderOf = ({ marks }: Listed): number => marks?.order ?? 0

/** Ours by its labels, and nobody's: it goes. Looked at once more, for the list may be old by now. */
const destroyExtra = async (at: MachineContext, cloud: Cloud, listed: Listed, now: number): Promise<void> => {
  const asListed = { ref: listed.ref, order: orderOf(listed), createdAt: listed.createdAt }
  if (judgeListed(asListed, cloud.id, await knownOf(at.db, asListed.order), now) !== 'extra') return
  await cloud.provider.destroy(listed.ref)
  at.log.warn(
    { cloud: cloud.title, ref: listed.ref, orderId: asListed.order },
    'an orphaned machine was removed',
  )
}

/** So many do not vanish at once: the token is another project's, or the provider does not know what it has. */
const mostLostAtOnce = 3

const tellBlind = (db: Db, cloud: Cloud, missing: number, now: number): Promise<void> =>
  raiseAlert(db, {
    kind: 'cloud_refused',
    subject: `cloud:${cloud.id}:missing:${dayOf(now)}`,
    details: {
      cloud: cloud.title,
      problem: `does not list ${missing} machines that it should have; is the token right?`,
    },
    now,
  })

const tellUnknown = (db: Db, cloud: Cloud, listed: Listed, now: number): Promise<void> =>
  raiseAlert(db, {
    kind: 'machine_orphan',
    subject: `cloud:${cloud.id}:${listed.ref}`,
    details: { cloud: cloud.title, name: listed.name, ref: listed.ref, order_id: orderOf(listed) },
    now,
  })

const listDelivered = (db: Db, cloudId: number): Promise<Machine[]> =>
  db
    .selectFrom('machines')
    .selectAll()
    .where('cloud_id', '=', cloudId)
    .where('gone_at', 'is', null)
    .where('ref', 'is not', null)
    .where('status', '=', 'active')
    .where('wanted', '<>', 'gone')
    .execute()

/** A provider may forget a machine for a moment; one whose agent speaks is there whatever the provider says. */
const noteMissing = async (
  at: MachineContext,
  cloud: Cloud,
  machine: Machine,
  installation: string,
  now: number,
): Promise<void> => {
  const context = { at, machine, cloud, installation, now }
  const signs = machine.node_id === null ? undefined : await readSigns(at.db, machine.node_id)
  if (isHome(signs, false, now)) return
  if (machine.missing_since === null) return void (await note(context, { missing_since: now }))
  if (now < machine.missing_since + lostAfterSeconds) return
  if (await cloud.provider.show(machine.ref as string))
    return void (await note(context, { missing_since: null }))
  await lose(context)
}

/**
 * One may be off that should be on, or the other way round: the answer to a switch was lost, and then the wish was another one. What
 * has to be asked for follows from what is written down here.
 */
const notePower = async (context: StepContext, state: Listed['state']): Promise<void> => {
  const { at, machine, now } = context
  if (machine.next_step_at !== null || (state !== 'running' && state !== 'off')) return
  const isOn = state === 'running'
  if (isOn === machine.is_on) return
  const isWritten = await note(context, { is_on: isOn, next_step_at: now })
  if (isWritten) at.log.warn({ machineId: machine.id, isOn }, 'the power of a machine was another one')
}

const reconcileCloud = async (
  at: MachineContext,
  cloud: Cloud,
  installation: string,
  now: number,
): Promise<void> => {
  // What is there is read before the list, or one that comes meanwhile would be missing in it.
  const delivered = await listDelivered(at.db, cloud.id)
  // One that is switched off is silent anyway, and is looked at when it is wanted again.
  const running = delivered.filter(({ wanted }) => wanted === 'on')
  const listed = await cloud.provider.list(installation)
  const known = await listKnown(at.db, listed.map(orderOf))
  // Of an order that is known, another machine than we know may be the one that the customer has by now.
  const isHeld = await isHeldAfterRestore(at.db, now)
  for (const machine of listed) {
    const { ref, createdAt } = machine
    const order = orderOf(machine)
    const finding = judgeListed({ ref, order, createdAt }, cloud.id, known.get(order), now)
    if (finding === 'unknown' || (finding === 'extra' && isHeld))
      await tellUnknown(at.db, cloud, machine, now)
    else if (finding === 'extra') await destroyExtra(at, cloud, machine, now)
  }
  const byRef = new Map(listed.map((machine) => [machine.ref, machine]))
  const missing = running.filter((machine) => !byRef.has(machine.ref as string))
  if (missing.length > mostLostAtOnce && missing.length > running.length / 2) {
    return tellBlind(at.db, cloud, missing.length, now)
  }
  for (const machine of running) {
    if (missing.includes(machine)) await noteMissing(at, cloud, machine, installation, now)
    else if (machine.missing_since !== null) {
      const current = await findMachine(at.db, machine.id)
      if (current) await note({ at, machine: current, cloud, installation, now }, { missing_since: null })
    }
  }
  for (const machine of delivered) {
    const found = byRef.get(machine.ref as string)
    if (found) await notePower({ at, machine, cloud, installation, now }, found.state)
  }
}

/** Their agents say nothing, and nothing here is about to change that. */
const silentAfterSeconds = 3600

const tellSilent = async (db: Db, now: number): Promise<void> => {
  const { rows } = await sql<{ id: number; address: string | null }>`
    select m.id, m.address from machines m join node_status st on st.node_id = m.node_id
    where m.gone_at is null and m.status = 'active' and m.wanted = 'on' and m.next_step_at is null
      and st.last_seen_at < ${now - silentAfterSeconds} limit 100`.execute(db)
  for (const { id, address } of rows) {
    const details = { cloud_server: id, address, problem: 'its agent has not been heard of for an hour' }
    await raiseAlert(db, { kind: 'machine_stuck', subject: `machine:${id}:${dayOf(now)}`, details, now })
  }
}

export const reconcileMachines = async (at: MachineContext, now: number): Promise<void> => {
  await wakeForgotten(at.db, now)
  await tellSilent(at.db, now)
  const installation = await installationOf(at.db, now)
  await forEachAsked(
    at,
    (cloud) => reconcileCloud(at, cloud, installation, now),
    (err, cloudId) => at.log.warn({ err, cloudId }, 'a provider could not be asked what it has'),
  )
}

export const reconcileMachinesJob: Job<MachineContext> = {
  name: 'reconcile cloud servers',
  everySeconds: 120,
  run: reconcileMachines,
}
