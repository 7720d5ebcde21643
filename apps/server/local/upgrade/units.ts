import { runProgram } from '../backup/run-program.ts'
import { UpgradeProblem } from './problem.ts'
import { lastWords, mustRun } from './programs.ts'
import { type Place, type Port, ports, unitOf } from './turn.ts'

/** The service of each port, as systemd has it. */

export interface UnitState {
  readonly isRunning: boolean
  readonly isEnabled: boolean
  readonly pid: number
  readonly restarts: number
}

export const parseUnit = (text: string): UnitState => {
  const values = new Map(
    text.split('\n').map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]),
  )
  return {
    // One that is on its way up or down holds its port as well.
    isRunning: !['inactive', 'failed'].includes(values.get('ActiveState') ?? 'inactive'),
    isEnabled: values.get('UnitFileState') === 'enabled',
    pid: Number(values.get('MainPID') ?? 0),
    restarts: Number(values.get('NRestarts') ?? 0),
  }
}

export const unitState = async (port: Port): Promise<UnitState> => {
  const wanted = 'ActiveState,UnitFileState,MainPID,NRestarts'
  return parseUnit(
    await mustRun('systemctl', ['show', '-p', wanted, unitOf(port)], 'systemd does not answer.'),
  )
}

export const findPlaces = async (releaseAt: (port: Port) => string | undefined): Promise<Place[]> =>
  Promise.all(
    ports.map(async (port) => {
      const { isRunning, isEnabled } = await unitState(port)
      return { port, release: releaseAt(port), isRunning, isEnabled }
    }),
  )

const journalOf = async (port: Port): Promise<string> => {
  const args = ['-q', '-u', unitOf(port), '-n', '8', '--no-pager', '-o', 'cat']
  return lastWords((await runProgram('journalctl', args, {})).output)
}

/** What went wrong with a new one, and where to look. */
export const notUp = async (port: Port, what: string): Promise<UpgradeProblem> =>
  new UpgradeProblem(
    `${what} Its last words, of which journalctl -u ${unitOf(port)} has more:\n${await journalOf(port)}`,
  )

export const startUnit = async (port: Port, version: string): Promise<void> => {
  await runProgram('systemctl', ['reset-failed', unitOf(port)], {})
  const { code } = await runProgram('systemctl', ['start', unitOf(port)], {})
  if (code !== 0) throw await notUp(port, `Release ${version} did not come up.`)
}

/** Requests in flight are finished; it takes as long as that does. */
export const stopUnit = async (port: Port): Promise<void> => {
  await mustRun('systemctl', ['stop', unitOf(port)], `${unitOf(port)} could not be stopped.`)
  await runProgram('systemctl', ['reset-failed', unitOf(port)], {})
}

/** That one and no other comes up with the machine. */
export const startWithMachine = async (port: Port): Promise<void> => {
  const others = ports.filter((one) => one !== port).map(unitOf)
  await mustRun('systemctl', ['enable', '-q', unitOf(port)], `${unitOf(port)} could not be enabled.`)
  await mustRun('systemctl', ['disable', '-q', ...others], `${others.join(', ')} could not be disabled.`)
}
