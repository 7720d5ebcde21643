import type { Services } from '../core/call.ts'
import { Sandbox } from '../features/sandbox/provider.ts'
import type { OperateWithin } from '../local/demo/operate.ts'
import { dataOf } from '../operations/answer.ts'
import type { Limiter } from '../ports/limiter.ts'
import { everyOperation } from './operations.ts'
import { sandboxKey } from './providers.ts'

/** The operations that the demo is laid by. It takes play money only, whatever else is configured. */
export const demoOperations =
  (services: Services, limiter: Limiter): OperateWithin =>
  (tx, operatorId) => {
    const { vault, clock, publicUrl } = services
    const sandbox = new Sandbox({ db: tx, key: sandboxKey(vault), publicUrl, clock })
    const within = { ...services, db: tx, providers: new Map([[sandbox.name, sandbox]]) }
    const operations = everyOperation({ services: within, limiter })
    const actor = { kind: 'operator', id: operatorId, role: 'owner', operations: null } as const
    const by = { language: 'en', ip: '127.0.0.1' } as const
    return async <T>(name: keyof typeof operations, input = {}) =>
      dataOf(await operations[name].run(actor, { ...by, ...input })) as T
  }
