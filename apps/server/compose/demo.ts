import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Services } from '../core/call.ts'
import { Sandbox } from '../features/sandbox/provider.ts'
import { type Credentials, writeCredentials } from '../local/credentials.ts'
import { demoNode, isNodeOnline, loadDemo } from '../local/demo/demo.ts'
import type { LocalAgent } from '../local/local-agent.ts'
import type { OperateWithin } from '../operations/operate.ts'
import type { Limiter } from '../ports/limiter.ts'
import { operatingWithin } from './operate.ts'
import { sandboxKey } from './providers.ts'

/** How long the start waits for the local agent before it goes on without. */
const agentPatienceMs = 5000

/** The operations that the demo is laid by. It takes play money only, whatever else is configured. */
export const demoOperations =
  (services: Services, limiter: Limiter): OperateWithin =>
  (tx, operatorId) => {
    const { vault, clock, publicUrl } = services
    const sandbox = new Sandbox({ db: tx, key: sandboxKey(vault), publicUrl, clock })
    const playing = { ...services, providers: new Map([[sandbox.name, sandbox]]) }
    return operatingWithin(playing, limiter)(tx, operatorId)
  }

/** The embedded default's demo catalogue and credentials.json; production has neither. */
export const loadEmbeddedDefault = async (
  config: Config,
  services: Services,
  limiter: Limiter,
  url: string,
): Promise<Credentials | undefined> => {
  const { db, vault, clock } = services
  if (config.databaseUrl) return undefined
  await loadDemo({
    db,
    vault,
    now: clock.now(),
    operateWithin: demoOperations(services, limiter),
    address: new URL(url).hostname.replaceAll(/[[\]]/g, ''),
    listenAddress: config.host,
  })
  return writeCredentials(services, config.dataDir, `${url}/v1`)
}

/** The public address opens once the local agent's servers are online, so that whoever can connect can also buy. */
export const letAgentIn = async (
  agent: LocalAgent,
  app: FastifyInstance,
  { db, clock, log }: Services,
): Promise<void> => {
  const node = await demoNode(db, clock.now())
  if (!node) return
  await agent.serve((request, response) => app.routing(request, response), node)
  if (await isNodeOnline(db, node.id, clock, agentPatienceMs)) return
  log.warn({}, 'the local agent has not reported yet; its servers are offline until it does')
}
