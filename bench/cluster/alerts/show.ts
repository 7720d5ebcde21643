import { setTimeout as sleep } from 'node:timers/promises'
import { alertNames } from '../../../test/support/prometheus/scaled-rules.ts'
import type { Cluster } from '../cluster.ts'
import { scale } from '../parts/prometheus.ts'
import { table, withLoad } from '../run.ts'
import { lastRounds, rounds } from './causes.ts'
import { type Cause, databaseName, LoneAgent, type Stage, startSmall } from './stage.ts'
import { AlertWatch } from './watch.ts'

/** Each rule is seen firing by a real Prometheus, because what it speaks of is so; and none of them while nothing is wrong. */

export interface ShowOptions {
  readonly customers: number
  /** Requests a second. */
  readonly rate: number
  readonly say: (text: string) => void
}

const quietSeconds = 180
/** The longest of the rules, a certificate's, has to be true for four minutes even so. */
const patienceSeconds = 150
const settleSeconds = 25

interface Shown {
  readonly cause: Cause
  readonly beganMs: number
  endedMs: number
}

const seconds = (ms: number): string => Math.max(0, ms / 1000).toFixed(0)

const play = async (causes: readonly Cause[], stage: Stage, say: ShowOptions['say']): Promise<Shown[]> => {
  const shown: Shown[] = []
  const ends: (() => Promise<void>)[] = []
  for (const cause of causes) {
    say(`${cause.title}…`)
    shown.push({ cause, beganMs: performance.now(), endedMs: Number.POSITIVE_INFINITY })
    ends.push(await cause.begin(stage))
  }
  const wanted = shown.flatMap(({ cause, beganMs }) => cause.alerts.map((name) => ({ name, beganMs })))
  const isFiring = ({ name, beganMs }: (typeof wanted)[number]) =>
    name === 'SallyportCertificateEnding' ||
    stage.watch.firedSince(beganMs).some((spell) => spell.name === name)
  const endMs = performance.now() + patienceSeconds * 1000
  while (performance.now() < endMs && !wanted.every(isFiring)) await sleep(500)
  for (const end of ends) await end()
  for (const one of shown) one.endedMs = performance.now()
  const { program } = stage.instance
  if (!program.isRunning) throw new Error(`The instance has ended: ${JSON.stringify(await program.kill())}`)
  say(`  ${stage.watch.told(shown[0]?.beganMs ?? 0, performance.now())}`)
  await sleep(settleSeconds * 1000)
  return shown
}

const report = (shown: readonly Shown[], watch: AlertWatch, quiet: string): string => {
  const lines = alertNames().map((name) => {
    const one = shown.find(({ cause }) => cause.alerts.includes(name))
    const spell = one && watch.firedSince(one.beganMs).find((found) => found.name === name)
    if (!one || !spell?.firingMs) return [`\`${name}\``, one?.cause.title ?? '', 'NEVER', '']
    const over = spell.overMs === undefined ? 'not seen' : seconds(spell.overMs - one.endedMs)
    return [`\`${name}\``, one.cause.title, seconds(spell.firingMs - one.beganMs), over]
  })
  const missing = lines.filter(([, , fired]) => fired === 'NEVER').length
  const verdict =
    missing === 0 && quiet === 'none'
      ? 'Every rule fires, and none without a reason.'
      : 'NOT AS IT SHOULD BE.'
  const head = ['rule', 'what made it fire', 'firing after, s', 'resolved after its end, s']
  return [
    `Durations are a ${scale}th of those in the rules. ${quietSeconds} s of usual load, firing: ${quiet}.`,
    table(head, lines),
    verdict,
  ].join('\n\n')
}

export const showAlerts = async (cluster: Cluster, options: ShowOptions): Promise<string> => {
  const { customers, rate, say } = options
  const metered = await cluster.seed(customers)
  const small = await startSmall(cluster, metered)
  const [node, ...nodes] = metered.nodes
  if (!node) throw new Error('There are no nodes')
  const lone = new LoneAgent(cluster.balancer.ports.api, metered, node)
  const watch = await AlertWatch.start(cluster)
  try {
    return await withLoad(cluster, { ...metered, nodes }, async (run) => {
      const stage: Stage = {
        ...small,
        cluster,
        run,
        watch,
        lone,
        connect: () => cluster.connect(databaseName(metered)),
      }
      const arriving = new AbortController()
      const load = run.traffic.arriveUntil(rate, arriving.signal)
      const beganMs = performance.now()
      say(`Nothing is wrong for ${quietSeconds} s…`)
      await sleep(quietSeconds * 1000)
      const quiet = watch.told(beganMs, performance.now())
      say(`  firing: ${quiet}`)
      const shown: Shown[] = []
      for (const round of rounds) shown.push(...(await play(round, stage, say)))
      arriving.abort()
      run.traffic.deals.stop()
      await load
      for (const round of lastRounds) shown.push(...(await play(round, stage, say)))
      return report(shown, watch, quiet)
    })
  } finally {
    await lone.stop()
    await watch.stop()
    await cluster.stopInstances()
    small.leave()
  }
}
