import { locateEngine } from '@sallyport/agent/engines/common/locate'
import { engineNames } from '@sallyport/contract/agent/agent'
import { inheritedEnvironment } from '../config.ts'
import { flagsIn, json, writeJson } from './command.ts'

export const help = `sallyport engines [--json]

Says which VPN engines are found here, and how to get the others.

Example:
  sallyport engines`

export const run = async (args: string[]): Promise<void> => {
  const given = flagsIn(args, json)
  const env = inheritedEnvironment()
  const engines = await Promise.all(
    engineNames.map(async (name) => ({ name, ...(await locateEngine(name, env)) })),
  )
  if (given.json) return writeJson(engines)
  for (const { name, ...located } of engines) {
    const found = located.state === 'found' ? `${located.version} at ${located.path}` : located.reason
    console.log(`${name.padEnd(10)} ${`${located.state}:`.padEnd(8)} ${found}`)
  }
}
