import type { EngineName } from '@sallyport/contract/agent/agent'
import type { Protocol, SwitchName } from '@sallyport/contract/shapes'
import { switchNames } from '@sallyport/contract/shapes'
import { switchProblems } from '@sallyport/domain/vpn/switch-rules'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { type ClaimedServer, onlineWithinSeconds, type ServerChoice, swapSlot } from '../fleet/servers.ts'
import { findProxyBeside } from '../vpn/access/access-row-reads.ts'
import type { LockedAccess } from '../vpn/access/locked-access.ts'

/** Where something on a server that is emptied can go. */

/** It stays where it is for now; said to the operator. */
export class CannotMove extends Error {}

/** There is none for its protocol: the same is true of all that have it. */
export class NoPlace extends CannotMove {}

export interface Where {
  /** The server that is left. */
  readonly from: number
  /** Those named by the operator; where there are none, others of the location. */
  readonly to: readonly number[]
  readonly locationId: number
}

export const choiceOf = ({ from, to, locationId }: Where, protocol: Protocol, now: number): ServerChoice => ({
  ...(to.length > 0 ? { scope: { ids: to } } : { locationId }),
  protocol,
  except: [from],
  isNew: false,
  now,
})

interface Servers {
  readonly selling: number
  readonly offering: number
  readonly ready: number
}

/** Those that sell and offer the protocol, those with most room first, whether they are full or offline. */
export const findOffering = async (
  db: Db,
  { from, to, locationId }: Where,
  protocol: string,
): Promise<ClaimedServer | undefined> => {
  const { rows } = await sql<ClaimedServer>`
    select s.id, s.node_id, s.location_id from servers s
    join inbounds i on i.server_id = s.id and i.protocol = ${protocol}
    where s.owner_term_id is null and s.state = 'selling' and s.id <> ${from}::bigint
      and case when ${to.length}::integer > 0 then s.id = any(${[...to]}::bigint[]) else s.location_id = ${locationId}::bigint end
    order by s.capacity - s.used_slots desc, s.id limit 1`.execute(db)
  return rows[0]
}

/** Why there is none, in the order in which a person would look. */
export const whyNone = async (
  db: Db,
  { from, to, locationId, except = [from] }: Where & { readonly except?: readonly number[] },
  protocol: string,
  now: number,
): Promise<string> => {
  const { rows } = await sql<Servers>`
    select count(*) as selling, count(i.server_id) as offering,
      count(*) filter (where i.server_id is not null and st.last_seen_at >= ${now - onlineWithinSeconds}::bigint
        and (n.sells_without_engine or i.engine = any(st.ready_engines))
        and i.protocol || '-' || s.id <> all(st.closed_inbounds)) as ready
    from servers s join nodes n on n.id = s.node_id join node_status st on st.node_id = s.node_id
    left join inbounds i on i.server_id = s.id and i.protocol = ${protocol}
    where s.owner_term_id is null and s.state = 'selling' and s.id <> all(${[...except]}::bigint[])
      and case when ${to.length}::integer > 0 then s.id = any(${[...to]}::bigint[]) else s.location_id = ${locationId}::bigint end`.execute(
    db,
  )
  const { selling, offering, ready } = rows[0] as Servers
  const which = to.length > 0 ? 'server of those named' : 'other server of the location'
  if (selling === 0) return `no ${which} sells`
  if (offering === 0) return `no ${which} offers ${protocol}`
  if (ready === 0) return `no ${which} that offers ${protocol} is online with its engine`
  return `no ${which} that offers ${protocol} has room`
}

const engineOf = async (tx: Db, accessId: number): Promise<EngineName | undefined> => {
  const proxy = await findProxyBeside(tx, accessId)
  if (!proxy) return undefined
  return proxy.protocol === 'mtproto' ? 'mtg' : 'xray'
}

/** What is switched on stays so, or it does not move. */
export const requireOptions = (
  protocol: Protocol,
  options: readonly SwitchName[],
  locationId: number,
): void => {
  const set = Object.fromEntries(switchNames.map((name) => [name, options.includes(name)]))
  const [problem] = switchProblems({ protocol, locationId, options: set })
  if (problem) throw new CannotMove(`${problem.path} ${problem.problem} in location ${locationId}`)
}

/** With its slot, preferably where the proxy beside it can be too. */
export const claimTarget = async (
  tx: Db,
  access: LockedAccess,
  where: Where,
  now: number,
): Promise<ClaimedServer> => {
  const choice = choiceOf(where, access.protocol, now)
  const engine = await engineOf(tx, access.id)
  const withProxy = engine && (await swapSlot(tx, where.from, { ...choice, engine }))
  const server = withProxy ?? (await swapSlot(tx, where.from, choice))
  if (!server) throw new NoPlace(await whyNone(tx, where, access.protocol, now))
  if (server.location_id !== access.location_id) {
    requireOptions(access.protocol, access.options, server.location_id)
  }
  return server
}
