import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '../ports/log.ts'

const agentMain = fileURLToPath(new URL('../../agent/main.ts', import.meta.url))
const restartAfterMs = 2000

export interface AgentProcess {
  stop(): Promise<void>
}

/** Runs the node agent of this machine beside the service, and again should it end. */
export const startAgentProcess = (at: {
  readonly serviceUrl: string
  readonly dataDir: string
  readonly enrolmentToken: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Log
}): AgentProcess => {
  let child: ChildProcess | undefined
  let isStopping = false
  const start = () => {
    child = fork(agentMain, [], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: {
        ...at.env,
        SALLYPORT_URL: at.serviceUrl,
        SALLYPORT_AGENT_DIR: join(at.dataDir, 'agent'),
        SALLYPORT_ENROL_TOKEN: at.enrolmentToken,
      },
    })
    child.once('exit', (code) => {
      child = undefined
      if (isStopping) return
      at.log.warn({ code }, 'the local agent ended; it is started again')
      setTimeout(() => !isStopping && start(), restartAfterMs).unref()
    })
  }
  start()
  return {
    stop: async () => {
      isStopping = true
      const running = child
      if (!running) return
      const ended = new Promise((resolve) => running.once('exit', resolve))
      running.kill('SIGTERM')
      const killer = setTimeout(() => running.kill('SIGKILL'), 5000)
      await ended
      clearTimeout(killer)
    },
  }
}
