import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const cli = fileURLToPath(new URL('../../apps/server/cli.ts', import.meta.url))

/** The agent as an operator runs it on a VPN server: `sallyport agent`, a process of its own. */
export class AgentUnderTest {
  readonly #env: Record<string, string>
  #child: ChildProcess | undefined
  output = ''

  constructor(env: Record<string, string>) {
    this.#env = env
  }

  start(): void {
    const env = {
      ...process.env,
      SALLYPORT_REPORT_INTERVAL_MS: '300',
      SALLYPORT_METER_INTERVAL_MS: '200',
      ...this.#env,
    }
    this.#child = spawn(process.execPath, [cli, 'agent'], { stdio: ['ignore', 'pipe', 'pipe'], env })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (text) => {
        this.output += text
      })
    }
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
}

/** It ends when it is so; patience costs nothing, even where a machine stands still. */
export const until = async (
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  seconds = 90,
): Promise<void> => {
  const deadline = Date.now() + seconds * 1000
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`Waited ${seconds} s for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
