import { UsageError } from '@sallyport/cli/usage-error'
import { openDoctor } from '../compose/doctor/doctor.ts'
import { readConfig } from '../config.ts'
import { everyCheck } from '../doctor/checks.ts'
import { examine, type Found } from '../doctor/examine.ts'
import { problem } from '../doctor/finding.ts'
import { exitCodeOf, reportJson, reportText } from '../doctor/report.ts'
import type { Check } from '../doctor/subject.ts'
import { flagsIn, json, settings } from './command.ts'

const width = Math.max(...everyCheck.map(({ name }) => name.length))
const list = everyCheck.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`).join('\n')

export const help = `sallyport doctor [--only NAME,…] [--json]

Looks at everything that a service for customers needs, and says of whatever is not as it should be what to do about it. It
changes nothing, works while the service is stopped or the database is away, and takes some 15 seconds. It ends with 0 when
nothing is worse than a warning, and with 1 when something is. With --json: [{check, state, text, advice}], where state is ok,
warning, problem or skipped.
${settings}

Checks:
${list}

Examples:
  sallyport doctor
  sallyport doctor --only database,dns,certificate`

const chosen = (only: string | undefined): readonly Check[] => {
  if (only === undefined) return everyCheck
  const names = only.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !everyCheck.some((check) => check.name === name))
  if (unknown !== undefined) {
    throw new UsageError(`--only: “${unknown}” is no check; sallyport doctor --help lists them.`)
  }
  return everyCheck.filter(({ name }) => names.includes(name))
}

/** Settings that cannot be used are what is found: nothing else can be looked at without them. */
const open = (): ReturnType<typeof openDoctor> | Found => {
  try {
    return openDoctor(readConfig())
  } catch (error) {
    const advice =
      'Put it right in the environment (or /etc/sallyport/sallyport.env), and run sallyport doctor again.'
    return { check: 'settings', ...problem((error as Error).message, advice) }
  }
}

const examineAll = async (checks: readonly Check[]): Promise<readonly Found[]> => {
  const doctor = open()
  if ('check' in doctor) return [doctor]
  try {
    return await examine(checks, doctor.subject)
  } finally {
    await doctor.close()
  }
}

export const run = async (args: string[]): Promise<void> => {
  const given = flagsIn(args, { only: { type: 'string' }, ...json })
  const found = await examineAll(chosen(given.only))
  console.log(given.json ? reportJson(found) : reportText(found, process.stdout.isTTY === true))
  process.exitCode = exitCodeOf(found)
  // What a check still waits for, that was given up, shall hold nobody up.
  setTimeout(() => process.exit(), 500).unref()
}
