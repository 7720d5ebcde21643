import type { Services } from '../core/call.ts'
import { dataOf } from '../operations/answer.ts'
import type { OperateWithin } from '../operations/operate.ts'
import type { Limiter } from '../ports/limiter.ts'
import { everyOperation } from './operations.ts'

/** Operations as an owner calls them, all within one transaction of whoever begins it. */
export const operatingWithin =
  (services: Services, limiter: Limiter): OperateWithin =>
  (tx, operatorId) => {
    const operations = everyOperation({ services: { ...services, db: tx }, limiter })
    const actor = { kind: 'operator', id: operatorId, role: 'owner', operations: null } as const
    const by = { language: 'en', ip: '127.0.0.1' } as const
    return async <T>(name: keyof typeof operations, input = {}) =>
      dataOf(await operations[name].run(actor, { ...by, ...input })) as T
  }
