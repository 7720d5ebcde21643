import { ApiError, conflict } from '@sallyport/contract/errors'
import type { Db } from '../../db/client.ts'
import { closeAlert } from '../kernel/alerts.ts'
import type { Bus } from '../kernel/bus.ts'
import type { Vault } from '../kernel/vault.ts'
import { findSite } from './cloud-catalogue.ts'
import { installationOf, nameOf, tokenOf } from './machine-boot.ts'
import { admitAttempt, ensureNode, isHome, readSigns, removeMachineNode, settle } from './machine-node.ts'
import { changeMachine, findMachine, lockWithTerm, type Machine } from './machines.ts'

/** What a person does about a machine: finds one, or has it looked at again. */

/** A person may take this long from telling the address to running the agent there. */
const readyWithinSeconds = 86_400

export interface Hands {
  readonly vault: Vault
  readonly bus: Bus
  readonly operatorId: number
  readonly now: number
}

export interface Admission {
  readonly token: string
  readonly expiresAt: number
  readonly attempt: number
}

const requireMachine = async (tx: Db, id: number): Promise<Machine> => {
  const machine = await findMachine(tx, id)
  const row = machine && (await lockWithTerm(tx, machine))
  if (!row) throw new ApiError('NOT_FOUND')
  return row
}

const refuse = (problem: string): never => {
  throw conflict('id', problem)
}

const isByHand = async (tx: Db, { cloud_id }: Machine): Promise<boolean> => {
  if (cloud_id === null) return false
  const cloud = await tx.selectFrom('clouds').select('kind').where('id', '=', cloud_id).executeTakeFirst()
  return cloud?.kind === 'manual'
}

/** Also one that was told an address before and has not come up there. */
const requireWaiting = async (tx: Db, row: Machine, now: number): Promise<void> => {
  if (row.gone_at !== null || row.wanted === 'gone') refuse('is being removed, or gone; it needs no machine')
  if (row.wanted === 'off') refuse('has ended; it needs a machine when its customer renews it')
  if (row.status === 'active') refuse('has its machine already')
  if (row.is_abandoned) refuse('is just being given up; look again in a minute')
  if (!(await isByHand(tx, row))) {
    refuse('does not wait for a person; only one for which a manual offer was chosen does')
  }
  const signs = row.ref === null || row.node_id === null ? undefined : await readSigns(tx, row.node_id)
  if (isHome(signs, false, now)) refuse('has called home already and becomes active in a moment')
}

/** Two agents on one machine would take each other's ports. */
const requireFree = async (tx: Db, row: Machine, address: string): Promise<void> => {
  const other = await tx
    .selectFrom('machines as m')
    .innerJoin('clouds as c', 'c.id', 'm.cloud_id')
    .select('m.id')
    .where('m.address', '=', address)
    .where('m.id', '<>', row.id)
    .where('m.ref', 'is not', null)
    .where('m.gone_at', 'is', null)
    .where('c.kind', '<>', 'local')
    .executeTakeFirst()
  if (other) throw conflict('address', `is that of cloud server ${other.id}`)
}

/** A machine was found: its agent may come, with a token that is good once. What was told before is worth nothing. */
export const giveAddress = async (tx: Db, at: Hands, id: number, address: string): Promise<Admission> => {
  const { vault, bus, operatorId, now } = at
  const row = await requireMachine(tx, id)
  await requireWaiting(tx, row, now)
  await requireFree(tx, row, address)
  // Its server is named after the address it was made for, and nobody has anything on it yet.
  if (row.address !== null && row.activated_at === null) await removeMachineNode(tx, bus, row, true)
  const nodeId = await ensureNode(tx, row, nameOf(await installationOf(tx, now), row), now)
  const next = { ...row, attempt: row.attempt + 1, node_id: nodeId }
  const expiresAt = now + readyWithinSeconds
  await admitAttempt(tx, vault, next, expiresAt)
  const realityServerName = await findSite(tx, row.offer_id)
  await settle(tx, at, next, { address, isShared: false, realityServerName })
  const change = { attempt: next.attempt, node_id: nodeId, ref: address, address, is_on: true }
  await changeMachine(
    tx,
    row,
    { ...change, ready_by: expiresAt, next_step_at: now, tries: 0, problem: null },
    'purchased',
  )
  await closeAlert(tx, { kind: 'machine_wanted', subject: `machine:${id}:${row.attempt}`, operatorId, now })
  return { token: tokenOf(vault, id, next.attempt), expiresAt, attempt: next.attempt }
}

/** Something was put right: it is looked at now, and one that is searched for may be had anywhere again. */
export const retryMachine = async (tx: Db, id: number, now: number): Promise<void> => {
  const row = await requireMachine(tx, id)
  if (row.gone_at !== null) refuse('is gone; nothing is left to be done about it')
  // Whether one that was asked for was made has to be found out first.
  const isSearching = row.wanted === 'on' && row.ref === null && row.asked_at === null && !row.is_abandoned
  const anew = { tried_offers: [], offer_id: null, cloud_id: null }
  await changeMachine(tx, row, { tries: 0, next_step_at: now, ...(isSearching && anew) })
}
