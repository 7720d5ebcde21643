import { spawn } from 'node:child_process'
import type { RunAs } from './owner.ts'
import { BackupProblem } from './problem.ts'

export interface Outcome {
  readonly code: number
  readonly output: string
  readonly errors: string
}

/** Nothing of our settings is handed on, unless it is said. */
const plainEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

const mostKept = 4_000_000

export const runProgram = (
  program: string,
  args: readonly string[],
  as: RunAs,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...plainEnvironment, ...env },
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      ...as,
    })
    let [output, errors] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-mostKept)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-mostKept)
    })
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new BackupProblem(`${program} is not installed here: apt-get install ${program}`)
          : error,
      ),
    )
    child.once('close', (code) => resolve({ code: code ?? 1, output, errors }))
  })
