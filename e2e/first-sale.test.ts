import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestDatabase } from '../test/support/databases/database.ts'
import { describeWith, xrayPath } from '../test/support/engines/engines.ts'
import { startTlsSite } from '../test/support/engines/tls-site.ts'
import { outboundFromLink, startDownload, startXrayClient } from '../test/support/engines/xray-client.ts'
import { postgresql, xray } from '../test/support/pieces.ts'
import { freePort } from '../test/support/ports.ts'
import { AgentUnderTest, until } from './support/agent.ts'
import { call, demand } from './support/call.ts'
import { makePlace } from './support/process.ts'

vi.setConfig({ testTimeout: 300_000 })

/** From nothing to the first sale by the command line alone, as docs/operations.md tells it. */

const root = fileURLToPath(new URL('../', import.meta.url))
const secretKey = Buffer.alloc(32, 7).toString('base64')

interface Typed {
  readonly code: number
  readonly out: string
  readonly err: string
}

type Env = Readonly<Record<string, string | undefined>>

const typeInto = (env: Env) => (line: readonly string[]) =>
  new Promise<Typed>((resolve) => {
    const args = [join(root, 'bin/sallyport.mjs'), ...line]
    execFile(process.execPath, args, { env: env as NodeJS.ProcessEnv, cwd: root }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
  })

const codeIn = async (folder: string): Promise<string> => {
  const letters = (await readdir(folder)).filter((name) => name.endsWith('.eml')).toSorted()
  const text = readFileSync(join(folder, letters.at(-1) as string), 'utf8')
  return /\b\d{6}\b/.exec(text.split('\r\n\r\n').slice(1).join('\n'))?.[0] ?? ''
}

/** Commands as the document has them: those that a reader would type. */
const told = (): string => readFileSync(join(root, 'docs/operations.md'), 'utf8').replaceAll(/ \\\n\s+/g, ' ')

describeWith(postgresql, 'an empty PostgreSQL', () => {
  describeWith(xray, 'and a machine with an engine', () => {
    test('sells, by the command line alone', async () => {
      const binary = xrayPath() ?? ''
      const database = await createTestDatabase('postgres')
      onTestFinished(() => database.remove())
      const home = await mkdtemp(join(tmpdir(), 'sallyport-sale-'))
      onTestFinished(() => rm(home, { recursive: true, force: true }))
      const settings = { DATABASE_URL: database.databaseUrl, SECRET_KEY: secretKey, DRAIN_SECONDS: '0' }
      const place = await makePlace({ env: settings })
      const mail = join(place.dataDir, 'mail')
      const type = typeInto({ ...place.env, HOME: home, XDG_CONFIG_HOME: home })
      const must = async (...line: string[]): Promise<string> => {
        const { code, out, err } = await type(line)
        if (code !== 0) throw new Error(`sallyport ${line.join(' ')}: exit ${code}\n${out}${err}`)
        return out
      }
      const asJson = async (...line: string[]) => JSON.parse(await must(...line, '--json'))

      // Nobody is there yet, and the command line says what to do.
      expect(await type(['node', 'list'])).toMatchObject({
        code: 2,
        err: expect.stringContaining('sallyport login'),
      })
      const setup = [
        'setup',
        '--name',
        'olga',
        '--location',
        'nl:Нидерланды:Netherlands',
        '--price',
        '200',
        '--yes',
      ]
      const made = await must(...setup)
      expect(told()).toContain(`sallyport ${setup.join(' ')}`)
      const [token = ''] = /slo_\w+/.exec(made) ?? []
      expect(made).toMatch(new RegExp(`http://127\\.0\\.0\\.1:${place.port}/console/sign-in#\\w{43}`))
      const again = await type(setup)
      expect([again.code, again.err]).toEqual([1, expect.stringContaining('has operators already')])

      const service = await place.start()
      await must('login', '--url', service.url, '--token', token)
      expect(await asJson('me')).toMatchObject({ name: 'olga', role: 'owner' })

      const node = ['node', 'create', '--name', 'nl-1', '--address']
      expect(told()).toContain(`sallyport ${node.join(' ')} `)
      const { install } = await asJson(...node, '127.0.0.1', '--listen-address', '127.0.0.1')
      const [, address, enrolment = ''] =
        /^curl -fsSL (\S+)\/install\/agent \| SALLYPORT_ENROL_TOKEN=(\S+) sh$/.exec(install) ?? []
      expect(address).toBe(service.url)
      const agent = new AgentUnderTest({
        SALLYPORT_URL: service.url,
        SALLYPORT_AGENT_DIR: join(home, 'agent'),
        SALLYPORT_ENROL_TOKEN: enrolment,
        SALLYPORT_ALLOW_PRIVATE_TARGETS: 'true',
      })
      agent.start()
      onTestFinished(() => agent.end('SIGTERM'))
      const site = await startTlsSite(binary)
      onTestFinished(() => site.close())
      const server = ['server', 'create', '--node-id', '1', '--location-id', '1', '--capacity', '200']
      expect(told()).toContain(`sallyport ${server.join(' ')} `)
      await must(
        ...server,
        '--protocols',
        'vless',
        '--ports',
        JSON.stringify({ vless: await freePort() }),
        '--reality-target',
        `127.0.0.1:${site.port}`,
        '--reality-server-name',
        'localhost',
      )
      await until('the server to be online', async () => (await asJson('server', 'list'))[0].is_online)
      expect(await asJson('location', 'list')).toMatchObject([{ code: 'nl', capacity: 200, used_slots: 0 }])

      // A customer signs up, is given something to pay with, and buys.
      await call(service.url, 'POST', '/v1/auth/email/start', { body: { email: 'anna@example.com' } })
      await until('the letter', async () => (await readdir(mail).catch(() => [])).length > 0)
      const { session_token: session } = await demand(service.url, 'POST', '/v1/auth/email/verify', {
        body: { email: 'anna@example.com', code: await codeIn(mail) },
      })
      const { items } = await asJson('user', 'list', '--search', 'anna@example.com')
      const balance = ['user', 'balance', String(items[0].id), '--account', 'wallet', '--amount', '500']
      await must(...balance, '--reason', 'the first customer')
      const body = { location_id: 1, protocol: 'vless', payment_method_id: 1, tariff_id: 1 }
      const bought = await demand(service.url, 'POST', '/v1/configs', { token: session, body })
      const client = await startXrayClient(binary, home, outboundFromLink(bought.connection_url))
      onTestFinished(() => client.close())
      await until('a packet to go through', async () => {
        const download = await startDownload(client, site.port, '/bytes/1000')
        return (await download.ended) > 1000
      })

      expect(await asJson('order', 'list')).toMatchObject([{ user_id: items[0].id, state: 'fulfilled' }])
      const log = await asJson('audit', 'list')
      expect(log.map(({ action }: { action: string }) => action).toReversed()).toEqual([
        'setUp',
        'changeConfigTariffs',
        'createLocation',
        'createNode',
        'createServer',
        'adjustBalance',
      ])
      expect((await must('order', 'list')).split('\n')[0]).toMatch(/^id +user_id/)
    })
  })
})
