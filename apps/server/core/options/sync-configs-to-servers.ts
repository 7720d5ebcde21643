import { ApiError } from '@sallyport/contract/errors'
import { switchNames } from '@sallyport/contract/shapes'
import { canBeginBridge } from '@sallyport/domain/vpn/bridge-rules'
import { carrySwitches } from '@sallyport/domain/vpn/switch-rules'
import type { Db } from '../../db/client.ts'
import { findNodesOf, lockNodes } from '../fleet/placements.ts'
import { claimBeyond, claimSlotsOf, lockServers, releaseSlot } from '../fleet/servers.ts'
import { notify } from '../kernel/notifications.ts'
import type { GrantContext } from '../sales/products.ts'
import type { Term } from '../terms/terms.ts'
import { lockEntriesTo, removeBridgeOf } from '../vpn/access/bridges.ts'
import { type LockedAccess, readAccess } from '../vpn/access/locked-access.ts'
import { listAccessesOf } from '../vpn/access/rows.ts'
import { createAccess } from '../vpn/operations/create-access.ts'
import { noteRevisions } from '../vpn/operations/hold-access.ts'
import { moveAccess } from '../vpn/operations/move-access.ts'
import { moveKeepingOld } from '../vpn/operations/move-keeping-old.ts'
import { leaveProxyBehind } from '../vpn/operations/proxy.ts'
import { removeAccesses } from '../vpn/operations/server-slots.ts'
import { makeWay } from './config-indexes.ts'
import { listDrained, listServers, type Option, type OptionServer } from './option-catalogue.ts'
import { storeSyncedRevision } from './option-terms.ts'

/** A customer's configurations of an option: one on each of its servers, whatever servers these are now. */

type SyncedTerm = Pick<Term, 'id' | 'paused'>

const addOne = async (
  tx: Db,
  at: GrantContext,
  term: SyncedTerm,
  option: Option,
  { server_id: serverId, node_id: nodeId, location_id: locationId, position }: OptionServer,
): Promise<void> => {
  const access = { termId: term.id, nodeId, serverId, locationId, protocol: option.protocol, position }
  await createAccess(tx, at, { ...access, options: [], isPresent: term.paused === null })
}

/** What a new subscription comes with; every server must have room. */
export const placeConfigsOnServers = async (
  tx: Db,
  at: GrantContext,
  termId: number,
  option: Option,
): Promise<void> => {
  const servers = await listServers(tx, option.id)
  // They were taken away after somebody began to pay, whose money goes to the balance then.
  if (servers.length === 0) throw new ApiError('NO_SERVER_AVAILABLE')
  const ids = servers.map((server) => server.server_id)
  if (at.isLate) {
    await lockServers(tx, ids)
    for (const id of ids) await claimBeyond(tx, id)
  } else await claimSlotsOf(tx, ids)
  await lockNodes(
    tx,
    servers.map((server) => server.node_id),
  )
  for (const server of servers) await addOne(tx, at, { id: termId, paused: null }, option, server)
}

type Placed = Awaited<ReturnType<typeof listAccessesOf>>[number]

/**
 * The place of one that the customer added and whose server has left the option: its country first, and one that takes
 * nobody new only where there is no other.
 */
export const placeFor = (servers: readonly OptionServer[], access: Placed): OptionServer | undefined => {
  const offering = servers.filter((server) => server.protocols.includes(access.protocol))
  const selling = offering.filter((server) => server.is_selling)
  const fitting = selling.length > 0 ? selling : offering
  return fitting.find((server) => server.location_id === access.location_id) ?? fitting[0]
}

interface Move {
  readonly access: Placed
  readonly to: OptionServer
  /** Its server is emptied: nobody who has an old link is cut off. */
  readonly isDrained?: boolean
}

/** What has to be done to a subscription's configurations. */
interface Plan {
  readonly leaving: readonly Placed[]
  readonly moving: readonly Move[]
  /** The option's own that stay where they are and have another protocol now. */
  readonly changing: readonly Move[]
  readonly joining: readonly OptionServer[]
}

/** Of one whose server is emptied: what has its server's position now, of those it came with and of those that stood beside them. */
export const successorOf = (
  access: Placed,
  accesses: readonly Placed[],
  servers: readonly OptionServer[],
): OptionServer | undefined => {
  const own = accesses.find((each) => each.server_id === access.server_id && each.position !== null)
  const position = access.position ?? own?.position
  return servers.find((server) => server.position === position && server.server_id !== access.server_id)
}

/** Where one goes that cannot stay, without becoming another. */
const placeOf = (
  access: Placed,
  accesses: readonly Placed[],
  servers: readonly OptionServer[],
  isDrained: boolean,
): OptionServer | undefined => {
  const successor = isDrained ? successorOf(access, accesses, servers) : undefined
  if (access.position !== null) return successor
  return successor?.protocols.includes(access.protocol) ? successor : placeFor(servers, access)
}

const planOf = (
  accesses: readonly Placed[],
  servers: readonly OptionServer[],
  option: Option,
  drained: ReadonlySet<number>,
): Plan => {
  const leaving: Placed[] = []
  const moving: Move[] = []
  const changing: Move[] = []
  const kept = new Set<number>()
  for (const access of accesses) {
    const { position } = access
    const own = servers.find((server) => server.server_id === access.server_id)
    if (own && (position === null || own.position === position)) {
      if (position === null) continue
      kept.add(position)
      if (access.protocol !== option.protocol) changing.push({ access, to: own })
      continue
    }
    const isDrained = drained.has(access.server_id)
    const to = placeOf(access, accesses, servers, isDrained)
    if (!to) leaving.push(access)
    else {
      moving.push({ access, to, isDrained })
      if (position !== null) kept.add(position)
    }
  }
  return { leaving, moving, changing, joining: servers.filter(({ position }) => !kept.has(position)) }
}

/** Entries of bridges, servers and nodes in the order in which everything locks them. */
const lockPlaces = async (tx: Db, plan: Plan, back: readonly Placed[]): Promise<void> => {
  const going = [...plan.leaving, ...plan.moving.map(({ access }) => access)]
  const touched = [...going, ...plan.changing.map(({ access }) => access)]
  const entries = await lockEntriesTo(
    tx,
    touched.map((access) => access.id),
  )
  const coming = [...plan.joining, ...plan.moving.map(({ to }) => to)]
  await lockServers(tx, new Set([...going, ...coming, ...back].map((each) => each.server_id)))
  const places = [...touched, ...coming, ...back]
  await lockNodes(tx, [...places.map((each) => each.node_id), ...(await findNodesOf(tx, entries))])
}

const moveTo = async (
  tx: Db,
  at: GrantContext,
  access: LockedAccess,
  to: OptionServer,
  protocol: LockedAccess['protocol'],
  move: typeof moveAccess | typeof moveKeepingOld = moveAccess,
): Promise<void> => {
  const { server_id: serverId, node_id: nodeId, location_id: locationId } = to
  const carried = carrySwitches({ protocol, locationId, kept: access.options, named: {} })
  const options = 'options' in carried ? switchNames.filter((name) => carried.options[name]) : []
  await move(tx, at, access, { serverId, nodeId, locationId, protocol, options })
}

const placedAccess = async (tx: Db, term: Term, { id }: Placed): Promise<LockedAccess> =>
  (await readAccess(tx, term, id)) as LockedAccess

/** One that was added keeps its protocol, one that came with the option has the option's. */
const moveOne = async (
  tx: Db,
  at: GrantContext,
  term: Term,
  { access, to, isDrained }: Move,
  option: Option,
): Promise<void> => {
  const locked = await placedAccess(tx, term, access)
  const protocol = access.position === null ? locked.protocol : option.protocol
  await claimBeyond(tx, to.server_id)
  await releaseSlot(tx, access.server_id)
  if (isDrained) return moveTo(tx, at, locked, to, protocol, moveKeepingOld)
  await leaveProxyBehind(tx, at, locked, { nodeId: to.node_id, locationId: to.location_id })
  await moveTo(tx, at, locked, to, protocol)
}

const changeOwn = async (tx: Db, at: GrantContext, term: Term, { access, to }: Move, option: Option) => {
  if (!canBeginBridge(option.protocol)) {
    await removeBridgeOf(tx, { id: access.id, userId: term.user_id }, at.now)
  }
  await moveTo(tx, at, await placedAccess(tx, term, access), to, option.protocol)
}

/** The customer made them, and hears of it when no server of the option can carry them any more. */
const tellRemoved = async (
  tx: Db,
  at: GrantContext,
  term: Term,
  option: Option,
  plan: Plan,
): Promise<void> => {
  for (const { id, position } of plan.leaving) {
    if (position !== null) continue
    await notify(tx, {
      userId: term.user_id,
      cause: `option-config-removed:${id}`,
      ru: `Подключение № ${id}, добавленное к «${option.title_ru}», удалено: ни один сервер пакета больше не поддерживает его протокол. Добавьте другое.`,
      en: `Connection ${id}, added to “${option.title_en}”, was removed: no server of the pack supports its protocol any more. Add another one.`,
      now: at.now,
    })
  }
}

/**
 * Brings a subscription in line with its option: what left goes, what joined comes, what stays keeps its credentials and
 * index. The caller locks the term. One that comes back after its end takes its slots again. A full server takes them too:
 * they were sold.
 */
export const syncConfigsToServers = async (
  tx: Db,
  at: GrantContext,
  term: Term,
  option: Option,
  isBack = false,
): Promise<void> => {
  const servers = await listServers(tx, option.id)
  const accesses = (await listAccessesOf(tx, [term.id])).filter((access) => access.beside_id === null)
  const drained = await listDrained(
    tx,
    accesses.map((access) => access.server_id),
  )
  const plan = planOf(accesses, servers, option, drained)
  const back = isBack ? accesses : []
  await lockPlaces(tx, plan, back)
  for (const access of back) await claimBeyond(tx, access.server_id)
  for (const move of plan.moving) await moveOne(tx, at, term, move, option)
  for (const move of plan.changing) await changeOwn(tx, at, term, move, option)
  await tellRemoved(tx, at, term, option, plan)
  await removeAccesses(
    tx,
    at,
    plan.leaving.map((access) => access.id),
  )
  for (const server of plan.joining) {
    await claimBeyond(tx, server.server_id)
    await addOne(tx, at, term, option, server)
  }
  if (plan.joining.length > 0) await makeWay(tx, term)
  await storeSyncedRevision(tx, term.id, option.revision)
  if (plan.moving.some(({ isDrained }) => isDrained)) await noteRevisions(tx, term)
}
