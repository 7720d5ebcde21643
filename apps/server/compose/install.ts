import { join } from 'node:path'
import { engineKinds, locateEngine } from '@sallyport/agent/engines/common/locate'
import { engineNames } from '@sallyport/contract/agent/agent'
import { type Config, inheritedEnvironment } from '../config.ts'
import { bundleAgent } from '../features/install/bundle.ts'
import { FileCache } from '../features/install/cache.ts'
import { type EngineSource, KeptKit, type Kit, prepareKit } from '../features/install/kit.ts'
import type { AgentKit } from '../ports/agent-kit.ts'

/** The engines of this machine, as they are found here. */
const engines = engineNames.map((name): EngineSource => {
  const { program } = engineKinds[name]
  return {
    program,
    find: async () => {
      const located = await locateEngine(name, inheritedEnvironment())
      return located.state === 'found' ? located : { reason: `${located.reason}.` }
    },
  }
})

/** What nodes are installed from: this machine's own runtime and engines, and the agent of this release. */
export const installKit = ({ cacheDir }: Config): KeptKit => {
  const cache = new FileCache(join(cacheDir, 'install'))
  let bundled: Promise<string> | undefined
  const bundle = (): Promise<string> => {
    bundled ??= bundleAgent()
    return bundled
  }
  const prepare = async (): Promise<Kit> => {
    const { execPath: node, platform, arch } = process
    const kit = await prepareKit({ cache, engines, bundle, node, platform, arch })
    await cache.tidy(Date.now())
    return kit
  }
  return new KeptKit(prepare)
}

/** The same for those who want to know its name alone. */
export const agentKitOf = (kit: KeptKit): AgentKit => ({
  release: async () => (await kit.current()).release,
  known: () => kit.release,
})
