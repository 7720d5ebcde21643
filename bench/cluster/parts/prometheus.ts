import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prometheus } from '../../../test/support/pieces.ts'
import { freePort } from '../../../test/support/ports.ts'
import { scaledRules } from '../../../test/support/prometheus/scaled-rules.ts'
import type { Folder } from './folder.ts'
import { Program, statusOf, until } from './program.ts'

/** Reads every instance by itself, as deploy/prometheus says, and goes by the rules of there. */

/** A fault here lasts for seconds: every duration of the rules is a fifteenth of what operators have. */
export const scale = 15

/** /metrics takes up to 3 s when the database does not answer, and nobody may be patient for longer than until he asks again. */
const everySeconds = 4

const settingsOf = (ports: readonly number[]): string => `
global:
  scrape_interval: ${everySeconds}s
  scrape_timeout: ${everySeconds}s
  evaluation_interval: 1s
rule_files: [rules.yml]
scrape_configs:
  - job_name: sallyport
    authorization: { credentials: cluster }
    static_configs:
      - targets: ${JSON.stringify(ports.map((port) => `127.0.0.1:${port}`))}
`

export interface Alert {
  readonly name: string
  readonly state: 'pending' | 'firing'
  /** What it is about, when a rule speaks of several. */
  readonly about: string
}

interface Told {
  readonly data: {
    readonly alerts: readonly {
      readonly labels: Readonly<Record<string, string>>
      readonly state: Alert['state']
    }[]
  }
}

const aboutOf = ({ alertname, severity, instance, job, ...rest }: Readonly<Record<string, string>>): string =>
  Object.values(rest).join(' ')

export class Prometheus {
  readonly #url: string
  readonly #program: Program

  private constructor(url: string, program: Program) {
    this.#url = url
    this.#program = program
  }

  static async start(folder: Folder, instances: readonly number[]): Promise<Prometheus> {
    const file = prometheus.find()
    if (!file) throw new Error('prometheus is not on this machine')
    const own = folder.of('prometheus')
    const files = { 'prometheus.yml': settingsOf(instances), 'rules.yml': scaledRules(scale) }
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(own, name), text)
      chownSync(join(own, name), folder.owner.uid, folder.owner.gid)
    }
    const address = `127.0.0.1:${await freePort()}`
    const program = new Program({
      name: 'prometheus',
      file,
      args: [
        ...[`--config.file=${join(own, 'prometheus.yml')}`, `--storage.tsdb.path=${join(own, 'data')}`],
        ...[`--web.listen-address=${address}`, '--log.level=warn'],
      ],
      log: folder.log('prometheus'),
      owner: folder.owner,
    }).start()
    await until('Prometheus', async () => (await statusOf(`http://${address}/-/ready`)) === 200)
    return new Prometheus(`http://${address}`, program)
  }

  async alerts(): Promise<Alert[]> {
    const answer = await fetch(`${this.#url}/api/v1/alerts`, { signal: AbortSignal.timeout(5000) })
    const { data } = (await answer.json()) as Told
    return data.alerts.map(({ labels, state }) => ({
      name: labels.alertname ?? '',
      state,
      about: aboutOf(labels),
    }))
  }

  async stop(): Promise<void> {
    await this.#program.end('SIGTERM', 5000)
  }
}
