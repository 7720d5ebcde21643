import { accessOfUser } from '@sallyport/domain/vpn/engine/xray-accounts'
import type { UserTraffic } from '../common/engine.ts'

/**
 * Counters under the names of accesses. One with other credentials may have counters under its old name and its new
 * one in the same run, and both are the customer's.
 */
export const trafficByAccess = (
  counted: readonly UserTraffic[],
  accessOf: ReadonlyMap<string, string>,
): UserTraffic[] => {
  const rows = new Map<string, UserTraffic>()
  for (const { id: user, up, down } of counted) {
    const id = accessOf.get(user) ?? accessOfUser(user)
    const row = rows.get(id)
    rows.set(id, { id, up: up + (row?.up ?? 0), down: down + (row?.down ?? 0) })
  }
  return [...rows.values()]
}
