import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomically } from '../common/files.ts'

/** What the installer puts there. It waits for the file, and has the rights that the agent has not. */
const watcherUnit = '/etc/systemd/system/sallyport-agent-reboot.path'

export const rebootFile = (stateDir: string): string => join(stateDir, 'reboot')

/** Asks for this machine to be started anew. False where nobody would: an agent that was not installed has no such right. */
export const requestReboot = async (stateDir: string, unit = watcherUnit): Promise<boolean> => {
  const file = rebootFile(stateDir)
  const watched = await readFile(unit, 'utf8').catch(() => '')
  if (!watched.split('\n').includes(`PathExists=${file}`)) return false
  await writeFileAtomically(file, '')
  return true
}
