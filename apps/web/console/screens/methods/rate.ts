import type { api } from '../../api.ts'

export type Rate = Awaited<ReturnType<typeof api.listRates>>[number]

export const daySeconds = 86_400
const hourSeconds = 3600

/** How many hours from now a rate still holds: what to send to leave it as it is. */
export const hoursLeft = ({ valid_until }: Rate, now: number): number | null =>
  valid_until === null ? null : Math.max(1, Math.ceil((valid_until - now) / hourSeconds))
