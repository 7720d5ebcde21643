import { afterAll, beforeAll, expect, test } from 'vitest'
import { askPostgres } from '../../test/support/databases/ask.ts'
import { type PostgresServer, startPostgres } from '../../test/support/databases/postgres.ts'
import { type RedisServer, startRedis } from '../../test/support/databases/redis.ts'
import { startDnsAnswers } from '../../test/support/engines/dns-answers.ts'
import { describeWith } from '../../test/support/engines/engines.ts'
import { packageDepot } from '../../test/support/machines/depot.ts'
import { bootMachine, type Machine, type Outcome } from '../../test/support/machines/machine.ts'
import { linkedNetwork, type OwnNetwork } from '../../test/support/machines/network.ts'
import { madeRelease } from '../../test/support/machines/release.ts'
import { machines, namespaces, postgresql, redis } from '../../test/support/pieces.ts'
import { freePort } from '../../test/support/ports.ts'
import { type Balancer, openBalancer, openRelay } from '../support/production/balancer.ts'
import { dataOf, firstSale } from '../support/production/first-sale.ts'
import { Mirror } from '../support/production/mirror.ts'
import { secureCaller } from '../support/production/secure-call.ts'

const timeout = 600_000
const domain = 'vpn.example.com'
/** Another release of Debian, like trixie, than this machine's own, or one of Ubuntu, like noble. */
const release = process.env.SALLYPORT_TEST_DEBIAN ?? process.env.SALLYPORT_TEST_UBUNTU

const unit = 'sallyport@8081'
const inQuotes = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Everything on the disk save what any machine writes while it runs, with sizes and modes. */
const tree =
  "find / -xdev \\( -path /proc -o -path /sys -o -path /run -o -path /tmp -o -path /var/log -o -path /var/lib/systemd -o -path /var/lib/cloud -o -path /var/tmp \\) -prune -o -printf '%p %s %m %u %l\\n' | sort"
const named =
  'find / -xdev -iname "*sallyport*" -not -path "/var/log/*" -not -path "/var/tmp/*" -not -path "/proc/*" -not -path "/root/sallyport-*" | sort'

interface Found {
  readonly check: string
  readonly state: string
  readonly text: string
  readonly advice?: string
}

/** A machine whose database, Redis and certificate are elsewhere, and one that has no certificate at all. */
describeWith([machines, namespaces, postgresql, redis], 'the installer where parts are elsewhere', () => {
  let network: OwnNetwork
  let mirror: Mirror
  let machine: Machine
  let file: string
  let balancer: Balancer
  let database: PostgresServer
  let cache: RedisServer
  let urls: { database: string; other: string; redis: string }
  let nowhere: number
  let leadsTo = ''
  const relays: { close: () => Promise<void> }[] = []
  const was = { tree: '', pid: '' }

  const install = (options = '', from = `curl -fsSL ${mirror.url}/install.sh | sh -s --`): Promise<Outcome> =>
    machine.exec(`${from} ${options}`, { timeoutMs: 400_000 })
  const first = '--owner olga --location nl:Нидерланды:Netherlands --price 200'
  const base = () => `--domain ${domain} --email olga@example.com --release ${mirror.url}/${file}`
  const elsewhere = () =>
    `--behind-proxy ${network.hostAddress}/32 --database-url ${inQuotes(urls.database)} --redis-url ${urls.redis}`
  const doctor = async (only: string, env = ''): Promise<Found[]> => {
    const { stdout } = await machine.exec(
      `NODE_EXTRA_CA_CERTS=/root/balancer.crt ${env} sallyport doctor --json ${only && `--only ${only}`}`,
    )
    return JSON.parse(stdout)
  }
  const bad = (found: readonly Found[]) => found.filter(({ state }) => state === 'problem')
  const pidOf = async () => (await machine.run(`systemctl show -p MainPID --value ${unit}`)).trim()
  const remember = async () => {
    was.tree = await machine.run(tree)
    was.pid = await pidOf()
  }
  const changedFiles = async () => {
    const before = new Set(was.tree.split('\n'))
    const after = (await machine.run(tree)).split('\n').filter((line) => !before.has(line))
    return after.filter((line) => !/postgresql|\/redis\/|\.cache|\/var\/(cache|backups)\//.test(line))
  }

  const own = () => ({ url: database.url.replace(/postgres$/, 'sallyport') })
  const relayed = async (url: string): Promise<string> => {
    const relay = await openRelay(network.hostAddress, Number(new URL(url).port))
    relays.push(relay)
    return `${network.hostAddress}:${relay.port}`
  }

  beforeAll(async () => {
    const [made, depot] = [await madeRelease(), await packageDepot(release)]
    file = made.file
    network = await linkedNetwork()
    mirror = await Mirror.open(network.hostAddress, [made.folder, depot, 'deploy'])
    nowhere = await freePort()
    leadsTo = network.hostAddress
    await startDnsAnswers(network.hostAddress, () => [leadsTo])
    database = (await startPostgres()) as PostgresServer
    cache = (await startRedis()) as RedisServer
    await askPostgres(
      database,
      `create role sallyport login password 'pa$s''w@rd'`,
      'create database sallyport owner sallyport',
      'create database other',
    )
    const place = await relayed(database.url)
    urls = {
      database: `postgres://sallyport:pa$s'w%40rd@${place}/sallyport`,
      other: `postgres://sallyport:pa$s'w%40rd@${place}/other`,
      redis: `redis://${await relayed(cache.url)}/3`,
    }
    balancer = await openBalancer(domain, network.hostAddress, network.address)
    machine = await bootMachine({
      name: 'service',
      userData: '#cloud-config\n',
      network: { ...network, resolvers: [network.hostAddress] },
      release,
    })
    await machine.cloudInit()
    await machine.run(
      `rm -rf /etc/apt/sources.list.d/*; echo 'deb [trusted=yes] ${mirror.url}/ ./' >/etc/apt/sources.list; apt-get update -qq
       cat >/root/balancer.crt`,
      { input: balancer.certificate },
    )
  }, 3 * timeout)
  afterAll(async () => {
    await machine?.destroy()
    await balancer?.close()
    await mirror?.close()
    for (const relay of relays) await relay.close()
    await cache?.stop()
    await database?.stop()
    await network?.remove()
  }, timeout)

  test('what cannot work is refused before anything is done', { timeout }, async () => {
    const untouched = await machine.run(tree)
    const cases: [string, string][] = [
      ['--price 0', '--price takes whole roubles above 0, not 0'],
      ['--price 1e3', '--price takes whole roubles above 0, not 1e3'],
      ['--location nl', '--location looks like nl:Нидерланды:Netherlands, not nl'],
      ['--location nl::Netherlands', '--location looks like'],
      ['--sha256 12ab', '--sha256 takes 64 digits'],
      ['--no-tls --behind-proxy 10.0.0.0/8', 'exclude each other'],
      ['--behind-proxy 0.0.0.0/0', 'would let every caller say who it is'],
      ['--behind-proxy 10.0.0.0/99', 'TRUSTED_PROXIES=10.0.0.0/99 is not usable'],
      ['--behind-proxy proxy.example.com', 'TRUSTED_PROXIES=proxy.example.com is not usable'],
      ['--database-url mysql://db/x', 'DATABASE_URL is not usable'],
      [`--database-url 'postgres://u:a b@db/x'`, 'like %20 for a space'],
      [`--database-url postgres://u:hunter2@${network.hostAddress}:${nowhere}/x`, 'ECONNREFUSED'],
      [
        `--database-url ${inQuotes(urls.database.replace('pa', 'hunter2'))}`,
        'password authentication failed',
      ],
      [`--database-url ${inQuotes(urls.other)}`, 'this role may not make tables there'],
      ['--redis-url http://cache', 'REDIS_URL is not usable'],
      [`--redis-url redis://${network.hostAddress}:${nowhere}`, 'does not answer'],
      ['--domain https://vpn.example.com', '--domain takes a name like vpn.example.com'],
      ['--frobnicate', '--frobnicate is not an option'],
    ]
    for (const [options, words] of cases) {
      const { code, stderr } = await install(`${base()} ${options}`)
      expect([options, code, stderr]).toEqual([options, 1, expect.stringContaining(words)])
      expect(stderr).not.toContain('hunter2')
    }
    expect(await machine.run(tree)).toBe(untouched)
  })

  test('a system that nobody has tried is refused, unless it is wanted', { timeout }, async () => {
    await machine.run(
      "cp -P /etc/os-release /root/os-release; rm /etc/os-release; printf 'ID=mint\\nVERSION_ID=22\\n' >/etc/os-release",
    )
    const refused = await install(`${base()} --no-tls --dry-run`)
    const forced = await install(`${base()} --no-tls --dry-run --force-distribution`)
    await machine.run('cp -fP /root/os-release /etc/os-release; rm /root/os-release')
    const tried = 'this is mint 22; Debian 12 and 13, Ubuntu 22.04 and 24.04 are meant'
    expect([refused.code, refused.stderr]).toEqual([
      1,
      `sallyport: ${tried} (--force-distribution tries anyway)\n`,
    ])
    expect([forced.code, forced.stderr]).toEqual([0, `sallyport: warning: ${tried}\n`])
  })

  test('a dry run says what is elsewhere, and does nothing', { timeout }, async () => {
    const untouched = await machine.run(tree)
    const { code, stdout, stderr } = await install(`${base()} ${elsewhere()} --dry-run`)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('Packages to install: nginx postgresql-client \n')
    expect(stdout).toContain('Database: elsewhere, and backed up there\nRedis: elsewhere\n')
    expect(stdout).toContain(`Units: ${unit}.service, nginx\n`)
    expect(stdout).toContain(`TLS by the proxy at ${network.hostAddress}/32\nPorts: 80 (TCP)\n`)
    expect(await machine.run(tree)).toBe(untouched)
    expect(await askPostgres(own(), 'select from pg_tables where schemaname = $$public$$')).toEqual([])
  })

  let operatorToken = ''
  let customerToken = ''
  const call = () => secureCaller({ domain, address: network.hostAddress, root: balancer.certificate })

  test('behind a balancer, with PostgreSQL and Redis elsewhere, it sells', { timeout }, async () => {
    const { code, stdout, stderr } = await install(`${base()} ${first} ${elsewhere()}`)
    console.log(`${stdout}\n${stderr}`)
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('there are no backups yet: the database is backed up where it runs')
    expect(stdout).toContain('Backups       none from here')
    expect(stdout).toContain(`80 (TCP) must be open to the proxy at ${network.hostAddress}/32`)
    expect(stdout).not.toContain('backup.key')
    operatorToken = /slo_\S+/.exec(stdout)?.[0] ?? ''
    const sold = await firstSale(call(), operatorToken)
    customerToken = sold.customerToken
    const [kept] = await askPostgres(own(), 'select count(*)::int as orders from orders')
    expect(kept).toEqual({ orders: 1 })
    expect(
      await machine.exec(
        'pg_lsclusters -h; systemctl is-enabled sallyport-backup.timer; ls /usr/bin/redis-server /usr/bin/certbot /usr/bin/pgbackrest',
      ),
    ).toMatchObject({
      stdout: expect.stringMatching(/^disabled\n$/),
    })
  })

  test('the doctor is content with it, and tells who backs it up', { timeout }, async () => {
    const found = await doctor('')
    console.log(found.map(({ check, state, text }) => `${state} ${check} ${text}`).join('\n'))
    // The tests' own PostgreSQL keeps nothing through a power cut, and its name is in no world's lists.
    expect(bad(found).filter(({ check }) => check !== 'database-settings')).toEqual([])
    expect(found.filter(({ check }) => check === 'backups')).toEqual([
      {
        check: 'backups',
        state: 'warning',
        text: 'none are made from here, for PostgreSQL runs elsewhere',
        advice: expect.stringContaining('See that it is backed up there'),
      },
    ])
    expect(found.filter(({ check }) => check === 'proxies')).toMatchObject([
      { check: 'proxies', state: 'ok', text: expect.stringContaining(`ours is ${network.address}`) },
    ])
    const tried = await machine.exec('sallyport backup')
    expect([tried.code, tried.stderr]).toEqual([1, expect.stringContaining('BACKUP_REPOSITORY')])
  })

  test('whoever comes past the balancer is believed nothing', { timeout }, async () => {
    leadsTo = network.address
    const past = `PUBLIC_URL=http://${domain}`
    expect(await doctor('proxies', past)).toMatchObject([
      { state: 'ok', text: expect.stringContaining(`ours is ${network.address}`) },
    ])
    // The other way round: nginx that trusts too many lets them claim any address, and the doctor sees that.
    await machine.run(
      `printf 'set_real_ip_from ${network.address};\\n' >/etc/nginx/sallyport/mine.conf; systemctl reload nginx; sleep 1`,
    )
    const fooled = await doctor('proxies', past)
    await machine.run('rm /etc/nginx/sallyport/mine.conf; systemctl reload nginx')
    leadsTo = network.hostAddress
    expect(bad(fooled)).toHaveLength(1)
  })

  test('a second run changes nothing; what it cannot follow is refused', { timeout }, async () => {
    await remember()
    for (const options of ['', `${base()} ${elsewhere()}`]) {
      const { code, stdout, stderr } = await install(options)
      expect([code, stdout.split('\n').at(-2)]).toEqual([
        0,
        `Nothing has changed: release 0.1.0 serves https://${domain}.`,
      ])
      expect(stderr).toContain('backed up where it runs')
    }
    for (const [options, words] of [
      ['--no-tls', `change PUBLIC_URL in /etc/sallyport/sallyport.env to http://${domain} first`],
      ['--domain other.example.com', 'set up under another name'],
      [`--database-url ${inQuotes(urls.other)}`, 'set up with another database'],
      ['--redis-url redis://127.0.0.1', 'set up with another Redis'],
    ]) {
      const { code, stderr } = await install(options)
      expect([code, stderr]).toEqual([1, expect.stringContaining(words as string)])
    }
    expect([await pidOf(), await changedFiles()]).toEqual([was.pid, []])
  })

  test('another network of the balancer is taken over', { timeout }, async () => {
    const proxy = `10.0.0.0/8,${network.hostAddress}/32,fd00::/8`
    expect((await install(`--behind-proxy ${proxy}`)).code).toBe(0)
    expect(await machine.run('cat /etc/nginx/sallyport/proxies.conf')).toContain('set_real_ip_from fd00::/8;')
    expect(await pidOf()).toBe(was.pid)
    expect((await call()('GET', '/readyz')).status).toBe(200)
  })

  test('away, the database and Redis are told by the doctor, and the service is back with them', {
    timeout,
  }, async () => {
    await machine.run(
      'ip route add unreachable ' +
        network.hostAddress +
        ' 2>/dev/null || ip route add blackhole ' +
        network.hostAddress,
    )
    const found = await doctor('database,redis,migrations')
    await machine.run(`ip route del ${network.hostAddress}`)
    expect(found.map(({ check, state }) => `${check} ${state}`)).toEqual([
      'database problem',
      'migrations skipped',
      'redis problem',
    ])
    await expect
      .poll(async () => (await call()('GET', '/readyz')).status, { timeout: 30_000, interval: 500 })
      .toBe(200)
  })

  test('uninstalled, it goes on where it was; purged, the database elsewhere stays', {
    timeout,
  }, async () => {
    const { code, stdout, stderr } = await install('--uninstall')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('Packages stay: nginx.')
    expect((await machine.run(named)).trim().split('\n')).toEqual([
      '/etc/sallyport',
      '/etc/sallyport/sallyport.env',
      '/var/lib/sallyport',
    ])
    const again = await install(`--release ${mirror.url}/${file}`)
    expect(again.code, again.stderr).toBe(0)
    expect(JSON.stringify(await dataOf(call())('GET', '/v1/configs', customerToken))).toContain('"vless"')
    const purged = await install('--uninstall --purge --yes')
    expect([purged.code, purged.stderr]).toEqual([0, ''])
    expect(purged.stdout).toContain('The database is elsewhere, and stays as it is.')
    expect(await machine.run(named)).toBe('')
    expect(await askPostgres(own(), 'select count(*)::int as orders from orders')).toEqual([{ orders: 1 }])
    // Its key is gone with the settings: another is refused before anything is done.
    const other = await install(`${base()} ${elsewhere()}`)
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringContaining('is not the key that this database was set up with'),
    ])
    expect(await machine.run(named)).toBe('')
  })

  test('without TLS, from a file and by its own script, it sells over plain HTTP', { timeout }, async () => {
    leadsTo = network.address
    await machine.run(
      `cd /root && curl -fsSO ${mirror.url}/${file} && curl -fsSO ${mirror.url}/${file}.sha256 && tar -xzf ${file}`,
    )
    const folder = `/root/${file.replace(/-linux.*/, '')}`
    const own = `${folder}/deploy/install.sh`
    const options = `--domain=${domain} --no-tls ${first}`
    const untouched = await machine.run(tree)
    const dry = await install(`${options} --release /root/${file} --dry-run`)
    expect([dry.code, dry.stderr]).toEqual([0, ''])
    expect(dry.stdout).toContain(`Address: http://${domain}, without TLS\nPorts: 80 (TCP)\n`)
    expect(await machine.run(tree)).toBe(untouched)
    // What is at 443 is nobody's business then.
    await machine.run(
      `systemd-run -q --unit other-site ${folder}/node_modules/node/bin/node -e 'require("net").createServer().listen(443)'`,
    )
    const { code, stdout, stderr } = await install(options, own)
    expect(code, stderr).toBe(0)
    expect(stdout).toContain(`http://${domain}/console/sign-in#`)
    expect((await machine.exec('ls /usr/bin/certbot')).code).not.toBe(0)
    const plain = secureCaller({ domain, address: network.address, root: undefined })
    await firstSale(plain, /slo_\S+/.exec(stdout)?.[0] ?? '')
    const problems = bad(await doctor(''))
    console.log(problems)
    expect(problems.map(({ check }) => check)).toEqual(['settings'])
    expect(problems[0]?.text).toContain('without encryption')
    await remember()
    const again = await install('', own)
    expect([again.code, again.stdout, again.stderr]).toEqual([
      0,
      `Nothing has changed: release 0.1.0 serves http://${domain}.\n`,
      '',
    ])
    expect([await pidOf(), await changedFiles()]).toEqual([was.pid, []])
  })

  test('a certificate after all needs another address first', { timeout }, async () => {
    const refused = await install('--tls')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`to https://${domain} first`)])
    await machine.run(
      `sed -i 's#^PUBLIC_URL=.*#PUBLIC_URL="https://${domain}"#' /etc/sallyport/sallyport.env`,
    )
    const taken = await install('--tls')
    expect([taken.code, taken.stderr]).toEqual([
      1,
      expect.stringContaining('listens at port 443, which nginx needs'),
    ])
    await machine.run('systemctl stop other-site')
    const { code, stdout } = await install('--uninstall --purge --yes')
    expect([code, stdout]).toEqual([0, expect.stringContaining('Packages stay: PostgreSQL, Redis, nginx')])
    expect(await machine.run(named)).toMatch(/^\/var\/backups\/sallyport-\d+\n/)
  })
})
