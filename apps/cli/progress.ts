import type { ContractOperation } from '@sallyport/contract/tables'
import { type Command, commands } from './commands.ts'

/** Long work: what was started is asked for again and again until it stands still. */

interface Shaped {
  readonly properties?: Readonly<Record<string, unknown>>
}

export interface Standing {
  readonly state: string
  readonly total: number
  readonly id?: number
}

const moving = new Set(['running', 'sending', 'scheduled'])

const hasProgress = ({ row }: ContractOperation): boolean =>
  Object.values(row.response).some((schema) => {
    const { properties = {} } = schema as Shaped
    return 'state' in properties && 'total' in properties
  })

/** The command that shows how far something is that this one starts. */
export const watcherOf = ({ operation }: Command): Command | undefined => {
  const { method, path } = operation.row
  if (method === 'GET' || !hasProgress(operation)) return undefined
  return commands.find(
    ({ operation: { row } }) => row.method === 'GET' && (row.path === path || row.path === `${path}/:id`),
  )
}

export const isMoving = (data: unknown): data is Standing =>
  moving.has((data as Partial<Standing>)?.state ?? '')

const doneOf = (standing: Standing): number => {
  const counted = standing as unknown as Readonly<Record<string, unknown>>
  return Number(counted.moved ?? counted.sent ?? 0)
}

const width = 30

export const barOf = (standing: Standing): string => {
  const { state, total } = standing
  const done = Math.min(doneOf(standing), total)
  const filled = total > 0 ? Math.round((done / total) * width) : 0
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done} of ${total}, ${state}`
}
