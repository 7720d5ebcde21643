import { flushCompileCache } from 'node:module'
import { inheritedEnvironment } from '../config.ts'
import { demoSignInLink } from '../local/demo/demo.ts'
import { supervisorOf } from '../local/systemd.ts'
import { welcome } from '../local/welcome.ts'
import { startService } from '../main.ts'
import { flagsIn, config as readSettings, settings } from './command.ts'

export const help = `sallyport start

Runs the service until it is told to stop. Without DATABASE_URL it opens an embedded database with a demo.
${settings}

Example:
  DATABASE_URL=postgres://sallyport:…@db/sallyport SECRET_KEY=… sallyport start`

export const run = async (args: string[]): Promise<void> => {
  flagsIn(args, {})
  const config = readSettings()
  const startedAt = process.hrtime.bigint()
  if (!config.databaseUrl) console.log('Opening the embedded database (the first start takes a few seconds)…')
  const service = await startService(config, { agentEnv: inheritedEnvironment() })
  const startSeconds = Number(process.hrtime.bigint() - startedAt) / 1e9
  const { url, credentials } = service
  const supervisor = supervisorOf(inheritedEnvironment())
  const hurry = new AbortController()
  let isLeaving = false
  const leave = async (): Promise<void> => {
    supervisor.stopping()
    await service.drain(hurry.signal)
    setTimeout(() => process.exit(1), 25_000).unref()
    await service.stop()
  }
  const stop = (): void => {
    // Asked twice, it does not wait to be noticed.
    if (isLeaving) hurry.abort()
    if (isLeaving) return
    isLeaving = true
    leave().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  supervisor.ready()
  const { db, clock } = service.services
  const makeLink = () => demoSignInLink(db, config.publicUrl ?? url, clock.now())
  const consoleLink =
    credentials &&
    (await makeLink().catch((error: unknown) => {
      // Told to leave by now, it has no database any more and needs no link.
      if (!isLeaving) throw error
      return undefined
    }))
  console.log(welcome({ url, dataDir: config.dataDir, credentials, consoleLink, startSeconds }))
  // Node writes what it compiled when it ends; one that is killed would compile everything again at the next start.
  flushCompileCache()
}
