import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import type { Machine, Outcome } from '../../test/support/machines/machine.ts'
import { madeRelease } from '../../test/support/machines/release.ts'
import { emptyReport, signNodeToken } from '../../test/support/node.ts'
import { machines, namespaces, pebble } from '../../test/support/pieces.ts'
import { until } from '../support/agent.ts'
import { ReleaseVariants } from '../support/production/release-variants.ts'
import { ServiceMachine } from '../support/production/service-machine.ts'
import { type Buyer, SteadyLoad, type Told } from '../support/production/steady-load.ts'

const timeout = 600_000
const priceRub = 200
const buyers = 8
const startRub = 500_000

const migration = (name: string) => `apps/server/db/migrations/${name}`
const added = '9001_rehearsal.sql'
/** A table that every purchase writes to is in it. */
const addition =
  'create table rehearsals (id int primary key);\nalter table orders add column rehearsed_at bigint;\n'
const start = 'apps/server/cli/start.ts'
const diesAtOnce = () =>
  "export const help = ''\nexport const run = async () => { throw new Error('a broken start') }\n"
const diesLater = (text: string) => `${text}\nsetTimeout(() => process.kill(process.pid, 'SIGKILL'), 4000)\n`
const neverReady = (text: string) => text.replace('  supervisor.ready()\n', '')

/** An installed machine with customers who do not stop coming: one release after another, and back. */
describeWith([machines, namespaces, pebble], 'an upgrade of the service', () => {
  let service: ServiceMachine
  let machine: Machine
  let variants: ReleaseVariants
  let load: SteadyLoad
  let operatorToken = ''
  let node: { id: number; key: KeyObject }
  const files: Record<string, string> = {}

  const upgrade = (options: string): Promise<Outcome> =>
    machine.exec(`sallyport upgrade ${options}`, { timeoutMs: 300_000 })
  const to = (version: string, more = ''): string =>
    `--release ${service.mirror.url}/${files[version]} --trial 4 ${more}`
  const current = async (): Promise<string> => (await machine.run('readlink /opt/sallyport/current')).trim()
  const running = async (): Promise<string> =>
    (await machine.run("systemctl list-units --plain --no-legend --state=active 'sallyport@*.service'"))
      .split('\n')
      .map((line) => line.split(' ')[0])
      .filter(Boolean)
      .join(' ')
  const enabled = async (): Promise<string> =>
    (await machine.run("ls /etc/systemd/system/multi-user.target.wants/ | grep 'sallyport@'")).trim()
  /** Nothing of an upgrade is left, and that release alone serves at that port. */
  const expectAt = async (version: string, port: number): Promise<void> => {
    const unit = `sallyport@${port}.service`
    expect([await current(), await running(), await enabled()]).toEqual([`releases/${version}`, unit, unit])
    expect(await machine.run('ls /run/sallyport 2>/dev/null; ls /opt/sallyport/ports')).toBe(`${port}\n`)
    const header = (await service.call('GET', '/readyz')).headers['x-release']
    expect(header ?? '0.1.0').toBe(version)
  }
  /** What happened under load, of which nothing may have failed. */
  const underLoad = async <T>(work: () => Promise<T>): Promise<{ result: T; told: Told }> => {
    load.told()
    const result = await work()
    const told = load.told()
    console.log(JSON.stringify(told))
    expect(load.failures).toEqual([])
    return { result, told }
  }
  /** Under way, up to where it says that. */
  const begin = async (options: string, line: string): Promise<void> => {
    await machine.run(
      `rm -f /tmp/upgrade.*; setsid sh -c 'sallyport upgrade ${options}; echo $? >/tmp/upgrade.code' >/tmp/upgrade.log 2>&1 & echo`,
    )
    await until(line, async () => (await machine.run('cat /tmp/upgrade.log')).includes(line), 120)
  }
  const killHalfWay = async (options: string, line: string): Promise<void> => {
    await begin(options, line)
    await machine.run("pgrep -f '[u]pgrade.*--trial' | xargs kill -9")
  }

  const makeNode = async (): Promise<void> => {
    const made = await service.demand('POST', '/operator/v1/nodes', operatorToken, {
      name: 'nl-1',
      address: '203.0.113.5',
    })
    await service.demand('POST', '/operator/v1/servers', operatorToken, {
      node_id: made.id,
      location_id: 1,
      capacity: 10_000,
      protocols: ['vless'],
      reality_target: 'www.example.com:443',
      reality_server_name: 'www.example.com',
    })
    const { privateKey } = generateKeyPairSync('ed25519')
    const { x } = privateKey.export({ format: 'jwk' })
    await service.call('POST', '/agent/v1/enrol', { body: { token: made.enrolment_token, public_key: x } })
    node = { id: made.id, key: privateKey }
    const token = await signNodeToken(node.id, node.key)
    expect((await service.call('POST', '/agent/v1/report', { token, body: emptyReport })).status).toBe(200)
  }
  const makeBuyer = async (_: unknown, index: number): Promise<Buyer> => {
    const email = `customer-${index}@example.com`
    const user = await service.demand('POST', '/operator/v1/users', operatorToken, { email })
    await service.demand('POST', `/operator/v1/users/${user.id}/balance`, operatorToken, {
      account: 'wallet',
      amount: startRub,
      reason: 'somebody who buys and buys',
    })
    return { token: user.api_key, startRub }
  }
  const makeReleases = async (folder: string, file: string): Promise<void> => {
    variants = await ReleaseVariants.of(join(folder, file))
    const withAddition = { [migration(added)]: () => addition }
    files['0.2.0'] = await variants.make('0.2.0', withAddition)
    files['0.3.0'] = await variants.make('0.3.0', { ...withAddition, [start]: diesAtOnce })
    files['0.3.1'] = await variants.make('0.3.1', { ...withAddition, [start]: diesLater })
    files['0.3.2'] = await variants.make('0.3.2', {
      ...withAddition,
      [migration('9002_wrong.sql')]: () => 'alter table orders add column rehearsed_at bigint;\n',
    })
    files['0.3.3'] = await variants.make('0.3.3', { ...withAddition, [start]: neverReady })
    const whole = readFileSync(join(variants.folder, files['0.2.0']))
    files.broken = variants.write('sallyport-0.2.1-linux-x64.tar.gz', whole.subarray(0, whole.length / 2))
    files.arm = await variants.make('0.2.2', {
      'release.json': (text) => JSON.stringify({ ...JSON.parse(text), version: '0.2.2', arch: 'other' }),
    })
  }

  beforeAll(async () => {
    const made = await madeRelease()
    await makeReleases(made.folder, made.file)
    service = await ServiceMachine.boot([made.folder, variants.folder])
    machine = service.machine
    const { code, stdout, stderr } = await service.install(service.optionsFor(made.file))
    expect(code, stderr).toBe(0)
    operatorToken = /slo_\S+/.exec(stdout)?.[0] ?? ''
    // Three minutes is a long time for a test.
    const quick = '/run/systemd/system/sallyport@.service.d'
    await machine.run(
      `mkdir -p ${quick}; printf '[Service]\\nTimeoutStartSec=25\\n' >${quick}/quick.conf; systemctl daemon-reload`,
    )
    await makeNode()
    const people = await Promise.all(Array.from({ length: buyers }, makeBuyer))
    const nodeToken = () => signNodeToken(node.id, node.key)
    load = new SteadyLoad({ site: service.site, buyers: people, nodeToken, priceRub })
    load.start()
  }, 3 * timeout)
  afterAll(async () => {
    await load?.stop()
    await service?.close()
    variants?.remove()
  }, timeout)

  test('what cannot be taken is refused, and nothing has happened', { timeout }, async () => {
    await underLoad(async () => {
      const wrong = await upgrade(to('0.2.0', `--sha256 ${'0'.repeat(64)}`))
      expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('The release came damaged')])
      const broken = await upgrade(`--release ${service.mirror.url}/${files.broken}`)
      expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('cannot be unpacked')])
      const arm = await upgrade(`--release ${service.mirror.url}/${files.arm}`)
      expect([arm.code, arm.stderr]).toEqual([1, expect.stringContaining('is made for other')])
      const away = await upgrade(`--release ${service.mirror.url}/nothing.tar.gz`)
      expect([away.code, away.stderr]).toEqual([1, expect.stringContaining('could not be downloaded')])
      const back = await upgrade('--back')
      expect([back.code, back.stderr]).toEqual([
        1,
        expect.stringContaining('There is no release before 0.1.0'),
      ])
      expect((await upgrade('')).code).toBe(2)
      const steps = await upgrade(to('0.2.0', '--dry-run'))
      expect(steps.stdout).toContain('Start release 0.2.0 as sallyport@8082.service')
    })
    expect(await machine.run('ls -A /opt/sallyport/releases')).toBe('0.1.0\n')
    await expectAt('0.1.0', 8081)
  })

  test('cut off half-way both serve; the same command takes it up, and no request is lost', {
    timeout,
  }, async () => {
    const { told } = await underLoad(async () => {
      await killHalfWay(to('0.2.0'), 'Both serve')
      expect(await running()).toBe('sallyport@8081.service sallyport@8082.service')
      expect(await current()).toBe('releases/0.1.0')
      const beganMs = Date.now()
      await begin(to('0.2.0'), 'It is up.')
      const beside = await upgrade(to('0.2.0'))
      expect([beside.code, beside.stderr]).toEqual([1, expect.stringContaining('is under way')])
      await until('its end', async () => (await machine.exec('test -s /tmp/upgrade.code')).code === 0, 120)
      console.log(await machine.run('cat /tmp/upgrade.log'), `${(Date.now() - beganMs) / 1000} s`)
      expect(await machine.run('cat /tmp/upgrade.code')).toBe('0\n')
    })
    expect(Object.keys(told.releases).toSorted()).toEqual(['', '0.2.0'])
    await expectAt('0.2.0', 8082)
  })

  test.each([
    ['0.3.0', 'dies at its start', /did not come up[\s\S]*a broken start/],
    ['0.3.1', 'dies while it is tried', /came up and went down again/],
    ['0.3.3', 'never says that it is ready', /did not come up/],
    ['0.3.2', 'has a migration that fails', /failed at migrate[\s\S]*rehearsed_at/],
  ])('%s, which %s, is stopped, and the old one serves on', { timeout }, async (version, _what, words) => {
    const { result, told } = await underLoad(() => upgrade(to(version)))
    console.log(result.stdout, result.stderr)
    expect([result.code, result.stderr]).toEqual([1, expect.stringMatching(words)])
    expect(Object.keys(told.releases)).toEqual(['0.2.0'])
    await expectAt('0.2.0', 8082)
  })

  test('back to the release before, killed after the switch and taken up, and no request is lost', {
    timeout,
  }, async () => {
    const { told } = await underLoad(async () => {
      await killHalfWay('--back --trial 4', 'is the current one')
      expect(await current()).toBe('releases/0.1.0')
      const { code, stdout, stderr } = await upgrade('--back --trial 4')
      console.log(stdout, stderr)
      expect(code, stderr).toBe(0)
    })
    expect(Object.keys(told.releases).toSorted()).toEqual(['', '0.2.0'])
    await expectAt('0.1.0', 8081)
    const list = await machine.run('sallyport upgrade --list')
    console.log(list)
    expect(list).toMatch(/^\* 0\.1\.0 .*runs as sallyport@8081/m)
  })

  test('forwards again by its name on the disk; after a reboot the right one is there, and the books are exact', {
    timeout,
  }, async () => {
    const { result } = await underLoad(() => upgrade('--release 0.2.0 --trial 2'))
    expect(result.code, result.stderr).toBe(0)
    await expectAt('0.2.0', 8082)
    await load.stop()
    expect(load.failures).toEqual([])
    await machine.reboot()
    await until('the service after a reboot', () => service.answers(), 90)
    await expectAt('0.2.0', 8082)
    expect(await load.audit(service.call)).toEqual([])
    expect(await machine.run('sallyport doctor --only ledger,migrations')).toContain('adds up')
  })
})
