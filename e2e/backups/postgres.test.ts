import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brokenRules } from '../../test/support/databases/invariants.ts'
import { fillPostgres } from '../../test/support/databases/production.ts'
import { describeWith } from '../../test/support/engines/engines.ts'
import { pgbackrest, postgresql, xray } from '../../test/support/pieces.ts'
import { freePort } from '../../test/support/ports.ts'
import { AgentUnderTest, until } from '../support/agent.ts'
import { demand } from '../support/call.ts'
import { type Env, makePlace, type Place, type ServiceProcess } from '../support/process.ts'
import { addSellingNodes, type StandInAgent } from '../support/stand-in-agent.ts'
import { Cluster, initCluster, Machine } from './archived-postgres.ts'
import { Buyers, must, smallDisk, type } from './buyers.ts'

/** PostgreSQL by pgBackRest: a machine is destroyed under load, and the service comes back elsewhere from the repository. */

/** As sallyport backup configure says, 60; a minute more a run proves the same. */
const archiveSeconds = Number(process.env.SALLYPORT_ARCHIVE_SECONDS || 5)
/** What a loaded machine takes to hand a piece of the log on. */
const slackMs = 5000
const database = 'sallyport'
const location = 3

const cleanUps: (() => unknown)[] = []
const figures: string[] = []
afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp()
  console.log(figures.join('\n'))
})

describeWith([postgresql, pgbackrest, xray], 'a machine with PostgreSQL', () => {
  const machine = new Machine()
  cleanUps.push(() => machine.remove())
  const etc = mkdtempSync(join(tmpdir(), 'sallyport-etc-'))
  cleanUps.push(() => rmSync(etc, { recursive: true, force: true }))
  const keyFile = join(etc, 'backup.key')
  const disk = join(machine.home, 'disk')
  const isOwnDisk = smallDisk(disk, '600m', (cleanUp) => cleanUps.push(cleanUp)) !== null
  const repository = join(disk, 'repository')
  const data = join(machine.home, 'data')
  const secretKey = randomBytes(32).toString('base64')
  let cluster: Cluster
  let place: Place
  let env: Env
  let service: ServiceProcess
  let operatorToken: string
  let standIn: StandInAgent
  let agent: AgentUnderTest
  let buyers: Buyers
  /** Between two purchases, with nothing under way. */
  let moment = ''
  let boughtThen = 0
  let ordersThen = 0

  const orders = async (at: Cluster): Promise<number> =>
    Number((await at.query('select count(*) as n from orders', database))[0]?.n)

  /** A new machine with the passphrase, the address of the repository and an empty place, and nothing else. */
  const bare = (name: string): Env & { readonly BACKUP_POSTGRES_DIR: string; readonly DATA_DIR: string } => {
    const folder = join(machine.home, name)
    mkdirSync(join(folder, 'etc'), { recursive: true })
    mkdirSync(join(folder, 'postgresql'))
    for (const path of [folder, join(folder, 'etc'), join(folder, 'postgresql')]) machine.give(path)
    writeFileSync(join(folder, 'etc', 'backup.key'), readFileSync(keyFile))
    return {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: join(folder, 'service'),
      BACKUP_KEY_FILE: join(folder, 'etc', 'backup.key'),
      BACKUP_REPOSITORY: repository,
      BACKUP_POSTGRES_DIR: join(folder, 'postgresql', 'main'),
    }
  }

  beforeAll(async () => {
    machine.folder('data')
    await initCluster(machine, data)
    const first = await Cluster.start(machine, data)
    await first.query(`create database ${database}`)
    operatorToken = await fillPostgres(first.urlOf(database), secretKey)
    writeFileSync(keyFile, randomBytes(36).toString('base64'), { mode: 0o600 })
    const port = Number(new URL(first.url).port)
    const settings = {
      DATABASE_URL: first.urlOf(database),
      BACKUP_REPOSITORY: repository,
      SANDBOX_PAYMENTS: 'on',
    }
    writeFileSync(
      join(etc, 'sallyport.env'),
      Object.entries(settings)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    )
    place = await makePlace({
      env: { ...settings, SECRET_KEY: secretKey, BACKUP_KEY_FILE: keyFile, BACKUP_POSTGRES_DIR: data },
      onEnd: (cleanUp) => void cleanUps.push(cleanUp),
    })
    env = place.env
    // The folder of the settings is another than PostgreSQL's, which must be able to read its own file there.
    machine.give(etc)
    const told = await must(env, 'backup', 'configure', '--postgresql-conf', join(data, 'sallyport.conf'))
    expect(told).toContain('Restart PostgreSQL.')
    expect(statSync(join(etc, 'pgbackrest.conf')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(data, 'sallyport.conf'), 'utf8')).toContain('archive_timeout = 60')
    machine.give(join(data, 'sallyport.conf'))
    const early = await type(env, 'backup')
    expect([early.code, early.err]).toEqual([1, expect.stringContaining('does not archive its log yet')])
    await first.stop()
    cluster = await Cluster.start(machine, data, port, [`archive_timeout=${archiveSeconds}`])
    cleanUps.push(() => cluster.stop())
  })

  const addRealNode = async (): Promise<void> => {
    const ask = (path: string, body: object) =>
      demand(service.url, 'POST', `/operator/v1${path}`, { token: operatorToken, body })
    const node = await ask('/nodes', { name: 'real', address: '127.0.0.1', listen_address: '127.0.0.1' })
    await ask('/servers', {
      node_id: node.id,
      location_id: location,
      capacity: 1000,
      protocols: ['vless'],
      ports: { vless: await freePort() },
      reality_target: 'www.example.com:443',
      reality_server_name: 'www.example.com',
    })
    agent = new AgentUnderTest({
      SALLYPORT_URL: service.url,
      SALLYPORT_AGENT_DIR: join(machine.home, 'agent'),
      SALLYPORT_ENROL_TOKEN: node.enrolment_token,
    })
    agent.start()
    cleanUps.push(() => agent.end('SIGTERM'))
  }

  /** What the agent says it serves is what the database wants served. */
  const hasConverged = async (at: Cluster): Promise<boolean> => {
    const [row] = await at.query(
      `select n.desired_revision = st.applied_revision and st.last_seen_at > extract(epoch from now()) - 10 as is_so
       from nodes n join node_status st on st.node_id = n.id where n.name = 'real'`,
      database,
    )
    return row?.is_so === true
  }

  const carriedBy = (): string[] => {
    const state = JSON.parse(readFileSync(join(machine.home, 'agent', 'state.json'), 'utf8'))
    return state.desired.accesses.map(({ id }: { id: string }) => id).toSorted()
  }

  const wantedOn = async (at: Cluster): Promise<string[]> => {
    const rows = await at.query(
      `select 'a' || p.access_id as id from placements p join nodes n on n.id = p.node_id where n.name = 'real' and p.is_present`,
      database,
    )
    return rows.map(({ id }) => String(id)).toSorted()
  }

  test('is backed up while customers buy', async () => {
    service = await place.start()
    standIn = await addSellingNodes(service.url, operatorToken, { priceRub: 10, days: 30, seed: 1 })
    await standIn.beat(service.url)
    await addRealNode()
    await until('the agent', () => hasConverged(cluster))
    buyers = await Buyers.open(service.url, operatorToken, 8, [1, 2, location, location])
    const beats = setInterval(() => void standIn.beat(service.url).catch(() => undefined), 5000)
    cleanUps.push(() => clearInterval(beats))
    for (let n = 0; n < 4; n++) await buyers.buy(service.url, n)
    expect(await must(env, 'backup')).toMatch(/\(full, [\d.]+ MB\)/)
    const load = buyers.goOn(service.url)
    expect(await must(env, 'backup')).toContain('(incr, ')
    buyers.stop()
    await load
    const listed = JSON.parse(await must(env, 'backup', 'list', '--json'))
    expect(listed.map(({ kind }: { kind: string }) => kind)).toEqual(['full', 'incr'])
    const status = JSON.parse(readFileSync(join(place.dataDir, 'backup-status.json'), 'utf8'))
    expect(status).toMatchObject({ ok: true, kind: 'incr', repository })
    // A quiet moment to come back to.
    boughtThen = buyers.bought.length
    ordersThen = await orders(cluster)
    await sleep(100)
    moment = new Date().toISOString()
    await sleep(100)
  })

  test('nothing of it can be read without the passphrase', () => {
    const secrets = [
      secretKey,
      Buffer.from(secretKey, 'base64'),
      readFileSync(keyFile, 'utf8').trim(),
      'DATABASE_URL',
    ]
    const files = readdirSync(repository, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    expect(files.length).toBeGreaterThan(3)
    for (const file of files) {
      const bytes = readFileSync(join(file.parentPath, file.name))
      for (const secret of secrets) expect(bytes.includes(secret), file.name).toBe(false)
    }
  })

  test('is destroyed under load, and comes back elsewhere with what the promise covers', async () => {
    const more = new Buyers([...new Set(buyers.bought.map(({ token }) => token))], [1, 2, location, location])
    const load = more.goOn(service.url)
    await sleep((archiveSeconds + 3) * 1000 + slackMs)
    const lostAt = Date.now()
    await cluster.destroy()
    more.stop()
    await load
    const carriedBefore = carriedBy()
    await service.kill()

    const other = bare('elsewhere')
    const askedAt = Date.now()
    const told = await must(other, 'restore')
    const restoredAt = Date.now()
    expect(told).toMatch(/the books of \d+ accounts and \d+ transfers are exact/)
    const keys = readFileSync(join(machine.home, 'elsewhere', 'etc', 'secret.key'), 'utf8').trim()
    expect(keys).toBe(secretKey)
    expect(readFileSync(join(machine.home, 'elsewhere', 'etc', 'sallyport.env'), 'utf8')).toContain(
      'DATABASE_URL=',
    )
    cluster = await Cluster.start(machine, other.BACKUP_POSTGRES_DIR, undefined, [
      `archive_timeout=${archiveSeconds}`,
      `archive_mode=on`,
    ])
    service = await place.start({ DATABASE_URL: cluster.urlOf(database), SECRET_KEY: keys })
    const backAt = Date.now()

    const known = await buyers.known(service.url)
    expect(
      buyers.bought.filter(({ id }) => !known.has(id)),
      'bought before the backup',
    ).toEqual([])
    const gone = more.bought.filter(({ id }) => !known.has(id))
    const ages = gone.map(({ atMs }) => lostAt - atMs)
    const bound = archiveSeconds * 1000 + slackMs
    expect(Math.max(0, ...ages)).toBeLessThan(bound)
    expect(
      more.bought.some(({ atMs }) => lostAt - atMs > bound),
      'bought before the promise’s bound',
    ).toBe(true)
    figures.push(
      `archive_timeout ${archiveSeconds} s: of ${buyers.bought.length + more.bought.length} acknowledged purchases ${gone.length} lost, the oldest ${(Math.max(0, ...ages) / 1000).toFixed(1)} s old`,
      `back ${((backAt - lostAt) / 1000).toFixed(1)} s after the database was destroyed, of it ${((restoredAt - askedAt) / 1000).toFixed(1)} s for sallyport restore`,
    )

    const books = await demand(service.url, 'GET', '/operator/v1/ledger/check', { token: operatorToken })
    expect(books.imbalance).toBe(0)
    await until('the agent to come back and to converge', () => hasConverged(cluster), 60)
    figures.push(`the agent had converged ${((Date.now() - backAt) / 1000).toFixed(1)} s after that`)
    expect(carriedBy()).toEqual(await wantedOn(cluster))
    expect(carriedBefore.length).toBeGreaterThanOrEqual(carriedBy().length)
    await standIn.beat(service.url)

    // Numbers that were given out are not given out again, and what is new reaches the node.
    const fresh = await buyers.buy(service.url, 2)
    expect(fresh?.id).toBeGreaterThan(1_000_000)
    await until(
      'the new one on its node',
      async () => (await hasConverged(cluster)) && carriedBy().length === (await wantedOn(cluster)).length,
    )
    expect(carriedBy()).toEqual(await wantedOn(cluster))
    expect(await brokenRules((sql) => cluster.query(sql, database))).toEqual([])
  })

  test('goes on being backed up, with a full one first', async () => {
    const there = {
      ...env,
      BACKUP_POSTGRES_DIR: cluster.data,
      DATABASE_URL: cluster.urlOf(database),
      DATA_DIR: bare('after').DATA_DIR,
    }
    mkdirSync(there.DATA_DIR, { recursive: true })
    expect(await must(there, 'backup')).toContain('(full, ')
    expect(await must(there, 'backup', 'verify')).toContain('in order')
  })

  test('is brought back to a moment: what came after is gone, and what was before is there', async () => {
    const other = bare('moment')
    const report = JSON.parse(await must(other, 'restore', '--to', moment, '--json'))
    expect(boughtThen).toBeGreaterThan(4)
    expect(report).toMatchObject({ orders: ordersThen, ledger: { imbalance: 0 } })
    const early = await type(bare('early'), 'restore', '--to', '2020-01-01 00:00:00')
    expect([early.code, early.err]).toEqual([
      1,
      expect.stringContaining('there is nothing to restore from before'),
    ])
  })

  describe('what cannot be restored leaves nothing behind', () => {
    const attempt = async (name: string, change: Env = {}, ...flags: string[]): Promise<string> => {
      const other = { ...bare(name), ...change }
      const { code, err } = await type(other, 'restore', ...flags)
      expect(code, err).toBe(1)
      expect(readdirSync(join(machine.home, name, 'postgresql'))).toEqual([])
      expect(existsSync(join(machine.home, name, 'etc', 'secret.key'))).toBe(false)
      return err
    }

    test('another passphrase', async () => {
      const other = join(bare('wrong').BACKUP_KEY_FILE ?? '', '..', 'other.key')
      writeFileSync(other, randomBytes(36).toString('base64'))
      expect(await attempt('wrong-key', { BACKUP_KEY_FILE: other })).toContain('does not open the repository')
      const backup = await type({ ...env, BACKUP_KEY_FILE: other }, 'backup')
      expect([backup.code, backup.err]).toEqual([1, expect.stringContaining('does not open the repository')])
    })

    test('a repository that is away', async () => {
      renameSync(repository, `${repository}-away`)
      try {
        expect(await attempt('away')).toContain('is not there. Is the disk mounted?')
        const there = { ...env, BACKUP_POSTGRES_DIR: cluster.data, DATABASE_URL: cluster.urlOf(database) }
        const backup = await type(there, 'backup')
        expect([backup.code, backup.err]).toEqual([1, expect.stringContaining('Is the disk mounted?')])
        expect(existsSync(repository)).toBe(false)
      } finally {
        renameSync(`${repository}-away`, repository)
      }
    })

    test('a moment after the end of what was archived', async () => {
      const copy = join(machine.home, 'copied-repository')
      execFileSync('cp', ['-a', repository, copy])
      await sleep(1500)
      const late = new Date().toISOString()
      expect(await attempt('late', { BACKUP_REPOSITORY: copy }, '--to', late)).toMatch(
        /ends before that moment/,
      )
    })

    test('a damaged repository', async () => {
      const copy = join(machine.home, 'damaged-repository')
      execFileSync('cp', ['-a', repository, copy])
      const full =
        readdirSync(join(copy, 'backup', 'sallyport'))
          .filter((name) => /^\d{8}-\d{6}F$/.test(name))
          .at(-1) ?? ''
      const bundles = readdirSync(join(copy, 'backup', 'sallyport', full, 'bundle'))
      const bundle = join(copy, 'backup', 'sallyport', full, 'bundle', bundles[0] ?? '')
      const bytes = readFileSync(bundle)
      for (let at = 100_000; at < bytes.length; at += 50_000) bytes[at] = (bytes[at] ?? 0) ^ 255
      writeFileSync(bundle, bytes)
      expect(await attempt('damaged', { BACKUP_REPOSITORY: copy })).toMatch(/damaged|pgBackRest/)
      const verified = await type(
        { ...env, BACKUP_POSTGRES_DIR: cluster.data, BACKUP_REPOSITORY: copy },
        'backup',
        'verify',
      )
      expect([verified.code, verified.out + verified.err]).toEqual([
        1,
        expect.stringMatching(/invalid|damaged|mismatch/),
      ])
    })

    test('where PostgreSQL runs, or files are', async () => {
      const there = { ...bare('taken'), BACKUP_POSTGRES_DIR: cluster.data }
      const running = await type(there, 'restore', '--force')
      expect([running.code, running.err]).toEqual([1, expect.stringContaining('stop it first')])
      const full = bare('full')
      mkdirSync(full.BACKUP_POSTGRES_DIR)
      writeFileSync(join(full.BACKUP_POSTGRES_DIR, 'precious'), '')
      const refused = await type(full, 'restore')
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('is not empty')])
    })

    test('a disk that is full', async () => {
      const small = smallDisk(join(machine.home, 'small'), '10m', (cleanUp) => cleanUps.push(cleanUp))
      if (!small) return
      const other = { ...bare('no-room'), BACKUP_POSTGRES_DIR: join(small, 'main') }
      const { code, err } = await type(other, 'restore')
      expect([code, err]).toEqual([1, expect.stringContaining('There is no space left at ')])
      expect(readdirSync(small)).toEqual([])
    })
  })

  test('a repository that is full keeps what it has, from which all comes back', async () => {
    if (!isOwnDisk) return
    const there = { ...env, BACKUP_POSTGRES_DIR: cluster.data, DATABASE_URL: cluster.urlOf(database) }
    const before = await must(there, 'backup', 'list')
    const filler = join(disk, 'filler')
    spawnSync('head', ['-c', '600M', '/dev/zero'], { stdio: ['ignore', openSync(filler, 'w'), 'ignore'] })
    const { code, err } = await type(there, 'backup', '--kind', 'full')
    expect([code, err]).toEqual([1, expect.stringContaining('There is no space left at ')])
    expect(await must(there, 'backup', 'list')).toBe(before)
    expect(await must(bare('from-full'), 'restore')).toContain('are exact')
  })
})
