import { wordsOfAlert } from '@sallyport/domain/text/alert-words'
import {
  findFailingWebhooks,
  findOldRates,
  findStuckMail,
  findWaitingPayments,
} from '../../core/alerts/findings.ts'
import type { AlertKind, Finding as Trouble } from '../../core/kernel/alerts.ts'
import type { Db } from '../../db/client.ts'
import { counted, type Finding, lasting, ok, orElse, problem, skipped, some, warning } from '../finding.ts'
import { type Check, nowOf } from '../subject.ts'
import {
  countLateDeliveries,
  type JobRun,
  listJobRuns,
  listOpenAlerts,
  listOverdue,
  type OpenAlerts,
  type Overdue,
} from './queries.ts'

/** Recurring work, and whatever waits for longer than it should. */

const quietSeconds = 300

export const judgeJobs = (
  runs: readonly JobRun[],
  stuck: readonly string[],
  now: number,
): readonly Finding[] => {
  if (runs.length === 0) {
    return [
      warning('no instance has ever run its jobs on this database', 'Start the service: sallyport start'),
    ]
  }
  const notedAt = Math.max(...runs.map((run) => run.noted_at))
  if (notedAt < now - quietSeconds) {
    return [
      problem(
        `no instance has told of its jobs for ${lasting(now - notedAt)}: nothing is renewed, ended, granted or sent`,
        'Start the service (systemctl start "sallyport@8081", or 8082 after an upgrade), or see why it hangs: journalctl -u "sallyport@*".',
      ),
    ]
  }
  const failing = runs.filter(({ name, problem: why }) => why !== null && !stuck.includes(name))
  return orElse(
    [
      ...stuck.map((name) => problem(`“${name}” stands still`, wordsOfAlert('job_stuck').en)),
      ...failing.map(({ name, problem: why }) =>
        warning(
          `“${name}” failed the last time (${why})`,
          'The log of the service tells more; it is tried again.',
        ),
      ),
    ],
    `${counted(runs.length, 'job')}, all get on`,
  )
}

/** What the service has noted itself; a person may have settled it, which does not make it run. */
const stuckJobsOf = (alerts: readonly OpenAlerts[]): string[] =>
  alerts
    .filter(({ kind }) => kind === 'job_stuck')
    .flatMap(({ subjects }) => subjects.map((subject) => subject.replace(/^job:/, '')))

export const jobsCheck: Check = {
  name: 'jobs',
  about: 'recurring work that stands still or fails',
  run: (subject) =>
    subject.read(async (tx) =>
      judgeJobs(await listJobRuns(tx), stuckJobsOf(await listOpenAlerts(tx)), nowOf(subject)),
    ),
}

const lateSeconds = 300

export const judgeOverdue = (overdue: readonly Overdue[], now: number): readonly Finding[] =>
  orElse(
    overdue.map(({ table, count, oldest }) => {
      const many = count >= 1000 ? '1,000 or more' : String(count)
      const text = `${many} ${count === 1 ? 'row' : 'rows'} of ${table} wait for their turn, the oldest for ${lasting(now - oldest)}`
      const advice =
        'See what jobs says. If all get on, the database or whom they ask is too slow for so much.'
      return count >= 1000 || now - oldest > 3600 ? problem(text, advice) : warning(text, advice)
    }),
    'nothing waits for its turn for long',
  )

export const dueWorkCheck: Check = {
  name: 'due-work',
  about: 'rows whose time has come and that nobody took',
  run: (subject) => {
    const now = nowOf(subject)
    return subject.read(async (tx) => judgeOverdue(await listOverdue(tx, now - lateSeconds), now))
  },
}

const describe = ({ subject, details }: Trouble): string => {
  const { oldest_at: oldest, ...rest } = details
  const facts = Object.entries(rest).map(([name, value]) => `${name} ${value}`)
  return `${subject} (${facts.join(', ')}${oldest === undefined ? '' : ', for a while'})`
}

/** What the service looks for itself, looked for now; the advice is that of its alerts. */
const lookingFor = (at: {
  readonly name: string
  readonly about: string
  readonly kind: AlertKind
  readonly find: (tx: Db, now: number) => Promise<Trouble[]>
  readonly good: string
}): Check => ({
  name: at.name,
  about: at.about,
  run: async (subject) => {
    const found = await subject.read((tx) => at.find(tx, nowOf(subject)))
    if (found.length === 0) return [ok(at.good)]
    return [problem(some(found.map(describe), 3), wordsOfAlert(at.kind).en)]
  },
})

export const paymentsCheck = lookingFor({
  name: 'payments',
  about: 'paid orders that are not granted, payments and events that nobody could read',
  kind: 'payment_waits',
  find: findWaitingPayments,
  good: 'what is paid is granted, and providers can be read',
})

export const lettersCheck = lookingFor({
  name: 'letters',
  about: 'letters that do not get out',
  kind: 'mail_stuck',
  find: findStuckMail,
  good: 'no letter is stuck',
})

export const ratesCheck = lookingFor({
  name: 'rates',
  about: 'rates of currencies that customers can pay in',
  kind: 'rates_old',
  find: findOldRates,
  good: 'none has run out',
})

export const eventsCheck: Check = {
  name: 'events',
  about: "events for operators' own programs that do not get through",
  run: async (subject) => {
    const now = nowOf(subject)
    const [failing, late] = await subject.read(async (tx) => [
      await findFailingWebhooks(tx, now),
      await countLateDeliveries(tx, now - lateSeconds),
    ])
    const findings = failing.map(({ details }) =>
      warning(
        `endpoint ${details.webhook_id} does not take its events`,
        wordsOfAlert('webhook_endpoint_failed').en,
      ),
    )
    if (late > 0) {
      const many = late >= 1000 ? '1,000 or more events' : counted(late, 'event')
      findings.push(
        warning(
          `${many} were due more than ${lateSeconds / 60} min ago and were not tried yet`,
          'See what jobs says.',
        ),
      )
    }
    return orElse(findings, 'everything gets through')
  },
}

export const judgeAlerts = (alerts: readonly OpenAlerts[]): Finding => {
  if (alerts.length === 0) return ok('none is open')
  const total = alerts.reduce((sum, { count }) => sum + count, 0)
  const kinds = some(
    alerts.map(({ kind, count }) => (count === 1 ? kind : `${kind} (${count})`)),
    8,
  )
  return warning(
    `${counted(total, 'alert')} open: ${kinds}`,
    'sallyport alert list says what each asks of you.',
  )
}

export const alertsCheck: Check = {
  name: 'alerts',
  about: 'alerts that wait for a person',
  run: (subject) => subject.read(async (tx) => [judgeAlerts(await listOpenAlerts(tx))]),
}

export const serviceCheck: Check = {
  name: 'service',
  about: 'an instance answers where these settings say that it listens',
  run: async ({ ask, listenUrl }) => {
    const answer = await ask(`${listenUrl}/readyz`, { timeoutMs: 4000 }).catch(() => undefined)
    if (answer?.status === 200) return [ok(`answers at ${listenUrl} and is ready`)]
    if (answer) {
      const text = `answers at ${listenUrl}, and is not ready: ${answer.body.slice(0, 100)}`
      return [problem(text, 'See what database says, and the log of the service.')]
    }
    return [skipped(`nothing answers at ${listenUrl}: it is stopped, or listens elsewhere`)]
  },
}
