import { onlineWithinSeconds } from '../../fleet/servers.ts'

/** Whether something that a customer has is online. Every list, figure and page asks here, and so all say the same. */

/** Of a node's status `st`. `now` is a parameter of the statement, here and below. */
const isHeard = (now: string): string =>
  `coalesce(st.last_seen_at >= ${now}::bigint - ${onlineWithinSeconds}, false)`

/** Of a term `t`: not ended, and not switched off. */
const isOn = (now: string): string =>
  `t.state = 'active' and t.expires_at > ${now}::bigint and t.paused is null`

const isUp = "m.status = 'active' and m.wanted = 'on' and m.reboot_at is null and m.rebooting_since is null"

/** Of a customer's machine `m` with its term `t` and the status `st` of its node. */
export const machineOnline = (now: string): string => `(${isUp} and ${isOn(now)} and ${isHeard(now)})`

/** Of an access `c` with its term `t` and the status `st` of its node: what the node does not carry is not online. */
export const accessOnline = (now: string): string => `(${isHeard(now)} and ${isOn(now)}
  and not exists (select from uncarried u where u.access_id = c.id and u.node_id = st.node_id and u.carried_at is null)
  and (t.product <> 'cloud_servers' or exists (select from machines m where m.term_id = t.id and ${isUp})))`

/**
 * Of an access `c`: not carried, and nobody else can take it. Apps are shown this much and not every moment that a node is in
 * trouble, because what they get is kept.
 */
const isLost = 'u.access_id = c.id and u.carried_at is null and u.told_at is not null'

/** Whether it is so on its node `n`. */
export const accessLost = `exists (select from uncarried u where ${isLost} and u.node_id = n.id)`

/** The node that it is so on, where the node is not at hand; null of others. */
export const nodeLostOn = `(select u.node_id from uncarried u where ${isLost})`
