import type { UserTraffic } from '../common/engine.ts'

/**
 * Counters under the names of accesses. A proxy that was made again in the same run has counters under its old
 * name and its new one, and both are the customer's.
 */
export const trafficByAccess = (
  counted: readonly UserTraffic[],
  accessOf: ReadonlyMap<string, string>,
): UserTraffic[] => {
  const rows = new Map<string, UserTraffic>()
  for (const { id: user, up, down } of counted) {
    const id = accessOf.get(user) ?? user
    const row = rows.get(id)
    rows.set(id, { id, up: up + (row?.up ?? 0), down: down + (row?.down ?? 0) })
  }
  return [...rows.values()]
}
