import { execFile } from 'node:child_process'

/** Tells systemd that the service is ready, stops, and is alive. Without systemd it tells nobody. */
export interface Supervisor {
  /** Serves from now on, and says so again and again for as long as its event loop turns. */
  ready(): void
  stopping(): void
}

export interface SupervisedEnvironment {
  readonly NOTIFY_SOCKET?: string | undefined
  readonly WATCHDOG_USEC?: string | undefined
}

/** Three words may get lost or come late before systemd takes the process for hung. */
const wordsPerWatch = 3

/**
 * Node cannot write to a datagram socket of Unix, so systemd's own program does. That it is started by a timer is the proof: a
 * loop that hangs starts nothing.
 */
const tell =
  (env: SupervisedEnvironment) =>
  (...words: string[]): void => {
    execFile(
      'systemd-notify',
      words,
      { env: { ...env, PATH: '/usr/bin:/bin' }, timeout: 10_000 },
      (error) => {
        if (error) console.error(`systemd was not told ${words.join(' ')}: ${error.message}`)
      },
    )
  }

export const supervisorOf = (env: SupervisedEnvironment, say = tell(env)): Supervisor => {
  if (!env.NOTIFY_SOCKET) return { ready: () => undefined, stopping: () => undefined }
  const watchMs = Number(env.WATCHDOG_USEC ?? 0) / 1000
  return {
    ready: () => {
      say('READY=1', 'STATUS=serving')
      if (watchMs > 0) setInterval(() => say('WATCHDOG=1'), watchMs / wordsPerWatch).unref()
    },
    // It goes on being watched: the way out has its own end (TimeoutStopSec).
    stopping: () => say('STOPPING=1', 'STATUS=leaving: requests in flight are finished'),
  }
}
