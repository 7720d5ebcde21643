import type { ServerStats } from '@sallyport/contract/customer/shapes'
import { dayOf, secondsInDay } from '@sallyport/domain/time/period'
import type { Static } from 'typebox'
import type { Db } from '../../db/client.ts'

const shownDays = 30

export interface StatsNode {
  readonly node_id: number
  readonly host: string
  /** Of what is asked about: a machine, or what it carries for the customer. */
  readonly is_online: boolean
  readonly uptime_seconds: number
  readonly cpu_model: string
}

const rounded = (value: number): number => Math.round(value * 100) / 100

/** A node's load by days, as customers see it: the last 30 days, oldest first. */
export const serverStats = async (
  db: Db,
  node: StatsNode,
  now: number,
): Promise<Static<typeof ServerStats>> => {
  const firstDay = dayOf(now - (shownDays - 1) * secondsInDay)
  const days = await db
    .selectFrom('node_days')
    .selectAll()
    .where('node_id', '=', node.node_id)
    .where('day', '>=', firstDay)
    .orderBy('day')
    .execute()
  return {
    host: node.host,
    status: node.is_online ? 'up' : 'down',
    uptime_days: Math.floor(node.uptime_seconds / secondsInDay),
    cpu_model: node.cpu_model,
    stats: days.map((day) => ({
      date: day.day,
      cpu: rounded(day.cpu_sum / day.samples),
      ram: rounded(day.ram_sum / day.samples),
      up: rounded(day.up_sum / day.samples),
      down: rounded(day.down_sum / day.samples),
    })),
  }
}
