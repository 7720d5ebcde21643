import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Customer, Seeded } from '../seed.ts'
import { startTarget, type Target } from '../targets.ts'
import { headersOf, type Wish } from './wishes.ts'

/** The bare route, with answers that the product gave to one customer. */

export interface BareAnswer {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** Base64. */
  readonly body: string
}

/** Of the connection, or of the moment. */
const notOfAnswer = new Set(['date', 'keep-alive', 'content-length', 'transfer-encoding'])

/** By hand, because fetch would undo the compression. */
const answerTo = async (service: Target, { subscriptionKey }: Customer, wish: Wish): Promise<BareAnswer> => {
  const { request } = await import('node:http')
  const path = `/sub/${subscriptionKey}?format=${wish.format}`
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port: service.port, path, headers: headersOf(wish) })
    asking.on('error', reject)
    asking.on('response', async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk as Buffer)
      if (answer.statusCode !== 200) reject(new Error(`${wish.format} is answered with ${answer.statusCode}`))
      const headers = Object.entries(answer.headers).filter(
        ([name, value]) => !notOfAnswer.has(name) && value !== 'keep-alive',
      )
      resolve({
        name: wish.name,
        headers: Object.fromEntries(headers) as Record<string, string>,
        body: Buffer.concat(chunks).toString('base64'),
      })
    })
    asking.end()
  })
}

export interface Bare {
  /** Through a pool of its own, as anybody would write it; and over shared connections, as the product reads. */
  readonly pooled: Target
  readonly shared: Target
  readonly answers: ReadonlyMap<string, BareAnswer>
  forget(): void
}

export const startBare = async (
  { databaseUrl, active }: Seeded,
  service: Target,
  wishes: readonly Wish[],
): Promise<Bare> => {
  const answers: BareAnswer[] = []
  for (const wish of wishes) answers.push(await answerTo(service, active[0] as Customer, wish))
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-'))
  const file = join(folder, 'answers.json')
  writeFileSync(file, JSON.stringify(answers))
  const start = (reader: string) =>
    startTarget('bare Fastify', ['./baselines/delivery.ts'], {
      DATABASE_URL: databaseUrl,
      ANSWERS: file,
      READER: reader,
    })
  return {
    pooled: await start('pool'),
    shared: await start('shared'),
    answers: new Map(answers.map((answer) => [answer.name, answer])),
    forget: () => rmSync(folder, { recursive: true }),
  }
}
