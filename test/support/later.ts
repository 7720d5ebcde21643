import { readConfig } from '../../apps/server/config.ts'
import { type RunningService, startService } from '../../apps/server/main.ts'
import { systemClock } from '../../apps/server/ports/clock.ts'
import { freePort } from './ports.ts'
import { openLimiter } from './service.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Longer than anything that a dead process had taken stays taken, and than any event waits to be sent again. */
const laterSeconds = 600

/** The service ten minutes later, in this process: its jobs and its database are at hand, and nobody waits. */
export const startLater = async (env: Env): Promise<RunningService> => {
  const port = String(await freePort())
  const config = readConfig({ LOCAL_AGENT: 'off', LOG_LEVEL: 'silent', ...env, PORT: port })
  const clock = { now: () => systemClock.now() + laterSeconds }
  return startService(config, { clock, limiter: openLimiter })
}
