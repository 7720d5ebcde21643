import type { Services } from '../core/call.ts'
import { Sandbox } from '../features/sandbox/provider.ts'
import type { OperateWithin } from '../operations/operate.ts'
import type { Limiter } from '../ports/limiter.ts'
import { operatingWithin } from './operate.ts'
import { sandboxKey } from './providers.ts'

/** The operations that the demo is laid by. It takes play money only, whatever else is configured. */
export const demoOperations =
  (services: Services, limiter: Limiter): OperateWithin =>
  (tx, operatorId) => {
    const { vault, clock, publicUrl } = services
    const sandbox = new Sandbox({ db: tx, key: sandboxKey(vault), publicUrl, clock })
    const playing = { ...services, providers: new Map([[sandbox.name, sandbox]]) }
    return operatingWithin(playing, limiter)(tx, operatorId)
  }
