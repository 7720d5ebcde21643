import { NotEnrolled, runAgent } from './agent.ts'
import { messageOf } from './common/backoff.ts'
import { readEnrolmentToken } from './machine/enrolment-token.ts'
import { readSettings } from './settings.ts'

const log = (message: string): void => console.log(`[agent] ${message}`)

/** EX_CONFIG: somebody has to do something first, so whoever supervises this need not start it again. */
const notEnrolledCode = 78

const main = async (): Promise<void> => {
  const settings = readSettings(process.env)
  // The token is of use once; children and core dumps have no business with it.
  delete process.env.SALLYPORT_ENROL_TOKEN
  let stop = async (): Promise<void> => {}
  let isEnding = false
  const end = (): void => {
    if (isEnding) return
    isEnding = true
    void stop().then(
      () => process.exit(0),
      (error) => {
        log(messageOf(error))
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  // Started by the service with a channel: without the service there is nobody to end this agent.
  // It may be gone already: the channel can close while this program is still being loaded.
  if (process.send) process.on('disconnect', end)
  if (process.send && !process.connected) end()
  const enrolmentToken = settings.enrolmentToken ?? (await readEnrolmentToken(settings.stateDir))
  const agent = await runAgent({ ...settings, ...(enrolmentToken && { enrolmentToken }), log })
  stop = () => agent.stop()
  log(`serving for ${settings.serviceUrl}`)
}

main().catch((error) => {
  console.error(`[agent] ${messageOf(error)}`)
  process.exit(error instanceof NotEnrolled ? notEnrolledCode : 1)
})
