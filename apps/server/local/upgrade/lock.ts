import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { UpgradeProblem } from './problem.ts'

const heldCode = 75

/** The installer's lock too. It is held by a program that ends when this one does, however that happens. */
export const takeLock = async (path: string): Promise<() => Promise<void>> => {
  const keeper = spawn('flock', ['-n', '-E', String(heldCode), path, 'cat'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // Ctrl-C is for the upgrade, which has something to tidy up.
    detached: true,
  })
  keeper.stdin.on('error', () => undefined)
  keeper.stdin.write('.')
  const ended = once(keeper, 'exit') as Promise<[number | null]>
  const code = await Promise.race([once(keeper.stdout, 'data').then(() => 0), ended.then(([exit]) => exit)])
  if (code === heldCode)
    throw new UpgradeProblem('An upgrade or an installation is under way on this machine.')
  if (code !== 0) throw new UpgradeProblem(`${path} could not be locked: flock ended with ${code}.`)
  return async () => {
    keeper.stdin.end()
    await ended
  }
}
