import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import type { Machine } from '../../test/support/machines/machine.ts'
import { madeRelease } from '../../test/support/machines/release.ts'
import { machines, namespaces, pebble } from '../../test/support/pieces.ts'
import { until } from '../support/agent.ts'
import { firstSale } from '../support/production/first-sale.ts'
import type { SecureCall } from '../support/production/secure-call.ts'
import { ServiceMachine } from '../support/production/service-machine.ts'

const timeout = 600_000
const domain = 'vpn.example.com'
/** Another release of Debian, like trixie, than this machine's own, or one of Ubuntu, like noble. */
const release = process.env.SALLYPORT_TEST_DEBIAN ?? process.env.SALLYPORT_TEST_UBUNTU

const unit = 'sallyport@8081'

/** Everything on the disk save what any machine writes while it runs, with sizes and modes. */
const tree =
  "find / -xdev \\( -path /proc -o -path /sys -o -path /run -o -path /tmp -o -path /var/log -o -path /var/lib/systemd -o -path /var/lib/cloud -o -path /var/tmp \\) -prune -o -printf '%p %s %m %u %l\\n' | sort"

/** A bare Debian and one line: everything that a service needs comes by the installer. */
describeWith([machines, namespaces, pebble], 'the installer of the service', () => {
  let service: ServiceMachine
  let machine: Machine
  let file: string
  let call: SecureCall
  let operatorToken = ''
  let customerToken = ''
  let longPoll: Promise<{ status: number; seconds: number }>

  const whole = () => service.optionsFor(file)
  const install = (options = '') => service.install(options)
  const plainly = (path: string) =>
    new Promise<{ status: number | undefined; location: string | undefined }>((resolve, reject) => {
      const asked = request({ host: service.network.address, path, headers: { host: domain } }, (answer) => {
        answer.resume()
        resolve({ status: answer.statusCode, location: answer.headers.location })
      })
      asked.once('error', reject)
      asked.end()
    })
  const answers = () => service.answers()
  const comesBack = async (what: string, seconds: number): Promise<number> => {
    const beganMs = Date.now()
    await until(what, answers, seconds)
    return (Date.now() - beganMs) / 1000
  }
  const pidOf = async (): Promise<string> =>
    (await machine.run(`systemctl show -p MainPID --value ${unit}`)).trim()

  beforeAll(async () => {
    const made = await madeRelease()
    file = made.file
    service = await ServiceMachine.boot([made.folder], release)
    machine = service.machine
    call = service.call
  }, 3 * timeout)
  afterAll(() => service?.close(), timeout)

  test('a dry run says what would be done, and does nothing', { timeout }, async () => {
    const was = await machine.run(tree)
    const { code, stdout, stderr } = await install(`${whole()} --dry-run`)
    expect([code, stderr]).toEqual([0, ''])
    console.log(stdout)
    expect(stdout).toContain('Packages to install: nginx postgresql pgbackrest redis-server certbot')
    expect(stdout).toContain('Nothing was done.')
    expect(await machine.run(tree)).toBe(was)
  })

  test('one line makes a service that answers by HTTPS', { timeout }, async () => {
    // Cut off here and there, it goes on where it was.
    for (const seconds of [2, 6, 10]) {
      await machine.exec(`timeout -s KILL ${seconds} sh -c '${service.script} ${whole()}'`, {
        timeoutMs: 60_000,
      })
      await sleep(500)
    }
    const beganMs = Date.now()
    const { code, stdout, stderr } = await install(whole())
    console.log(`${stdout}\n${stderr}\n${((Date.now() - beganMs) / 1000).toFixed(0)} s`)
    expect(code, stderr).toBe(0)
    expect(stdout).toContain(`https://${domain}/console/sign-in#`)
    operatorToken = /slo_\S+/.exec(stdout)?.[0] ?? ''
    const ready = await call('GET', '/readyz')
    expect([ready.status, ready.protocol]).toEqual([200, 'TLSv1.3'])
    expect((await call('GET', '/')).body).toContain('<!doctype html>')
  })

  test('a customer buys through it', { timeout }, async () => {
    const sold = await firstSale(call, operatorToken)
    customerToken = sold.customerToken
    const token = sold.nodeToken
    // As long as an agent may wait; what follows goes on meanwhile.
    const { revision } = (await call('GET', '/agent/v1/state?since=0', { token })).body.data
    const beganMs = Date.now()
    longPoll = call('GET', `/agent/v1/state?since=${revision}&wait_seconds=60`, { token }).then(
      ({ status }) => ({ status, seconds: (Date.now() - beganMs) / 1000 }),
    )
    longPoll.catch(() => undefined)
  })

  test('it is backed up from the first day on, and the service can tell when', { timeout }, async () => {
    expect(await machine.run('systemctl is-enabled sallyport-backup.timer')).toBe('enabled\n')
    await machine.run('systemctl start sallyport-backup.service', { timeoutMs: 200_000 })
    expect((await machine.run('sallyport backup list')).trim().split('\n').length).toBeGreaterThanOrEqual(2)
    const told = await machine.run(
      'setpriv --reuid=sallyport --clear-groups cat /var/lib/sallyport/backup-status.json',
    )
    expect(JSON.parse(told)).toMatchObject({ ok: true, repository: '/var/backups/sallyport' })
  })

  test('the engines and the agent for nodes are there to be handed out', { timeout }, async () => {
    const answer = await call('GET', '/install/agent')
    expect(answer.status).toBe(200)
    expect(answer.body).toContain('bin/xray')
    const [sum] = /[0-9a-f]{64}(?= 644 agent\.mjs)/.exec(answer.body) ?? []
    expect((await call('GET', `/install/files/${sum}/agent.mjs.gz`)).status).toBe(200)
  })

  test('the proxy does what the service relies on', { timeout }, async () => {
    expect(await plainly('/open/x?y')).toEqual({ status: 301, location: `https://${domain}/open/x?y` })
    expect((await call('GET', '/sub/nothing')).headers.connection).toBe('close')
    // Strangers say what they like about their address, and the service hears who they are.
    const { body } = await call('GET', '/metrics', { headers: { 'x-forwarded-for': '127.0.0.1' } })
    expect(JSON.stringify(body)).not.toContain('sallyport_http')
  })

  test('a damaged release, and another one, are refused', { timeout }, async () => {
    const sum = '0'.repeat(64)
    const damaged = await install(`--release ${service.mirror.url}/${file} --sha256 ${sum}`)
    expect([damaged.code, damaged.stderr]).toEqual([
      1,
      `sallyport: the release came damaged: its checksum is not ${sum}\n`,
    ])
    await machine.run('sed -i s/0.1.0/0.0.9/ /opt/sallyport/current/release.json')
    const other = await install(`--release ${service.mirror.url}/${file}`)
    await machine.run('sed -i s/0.0.9/0.1.0/ /opt/sallyport/current/release.json')
    expect([other.code, other.stderr]).toEqual([
      1,
      `sallyport: release 0.0.9 is installed: sallyport upgrade --release ${service.mirror.url}/${file} brings release 0.1.0\n`,
    ])
  })

  test('a second run changes nothing and says so', { timeout }, async () => {
    const [pid, was] = [await pidOf(), await machine.run(tree)]
    const { code, stdout, stderr } = await install()
    expect([code, stdout, stderr]).toEqual([
      0,
      `Nothing has changed: release 0.1.0 serves https://${domain}.\n`,
      '',
    ])
    expect(await pidOf()).toBe(pid)
    const changed = (await machine.run(tree)).split('\n').filter((line) => !was.includes(line))
    expect(
      changed.filter((line) => !/postgresql|\/redis\/|\.cache|\/var\/(cache|backups)\//.test(line)),
    ).toEqual([])
    const poll = await longPoll
    expect(poll.status).toBe(200)
    expect(poll.seconds).toBeGreaterThan(55)
  })

  test('killed, hung or rebooted, it is back by itself', { timeout }, async () => {
    const gone = async (what: string, work: string, seconds: number): Promise<void> => {
      const pid = await pidOf()
      const beganMs = Date.now()
      await machine.run(work.replace('PID', pid))
      await until(`${what}: another process`, async () => !['0', pid].includes(await pidOf()), seconds)
      await comesBack(what, 30)
      console.log(`${what}: back after ${((Date.now() - beganMs) / 1000).toFixed(1)} s`)
    }
    // Half a minute is a long time for a test; the next start is told another.
    const quick = '/run/systemd/system/sallyport@.service.d'
    await machine.run(
      `mkdir -p ${quick}; printf '[Service]\\nWatchdogSec=9\\n' >${quick}/quick.conf; systemctl daemon-reload`,
    )
    await gone('SIGKILL', 'kill -9 PID', 20)
    await sleep(12_000)
    const pid = await pidOf()
    await gone('SIGSTOP', 'kill -STOP PID', 30)
    expect(await machine.journal(unit)).toMatch(/watchdog timeout/i)
    expect(pid).not.toBe(await pidOf())
    const beganMs = Date.now()
    await machine.reboot()
    await comesBack('a reboot', 90)
    console.log(`reboot: back after ${((Date.now() - beganMs) / 1000).toFixed(1)} s`)
    const bought = await service.demand('GET', '/v1/configs', customerToken)
    expect(JSON.stringify(bought)).toContain('"protocol":"vless"')
  })

  test('stopping finishes what is asked, and the unit has few rights', { timeout }, async () => {
    const { stdout } = await machine.exec(`systemd-analyze security ${unit} --no-pager`)
    const score = Number(/Overall exposure level.*: ([\d.]+)/.exec(stdout)?.[1])
    console.log(`systemd-analyze security: ${score}`)
    expect(score).toBeLessThanOrEqual(2)
    const beganMs = Date.now()
    await machine.run(`systemctl stop ${unit}`)
    console.log(`stop: ${((Date.now() - beganMs) / 1000).toFixed(1)} s`)
    expect(await machine.run(`systemctl show -p Result --value ${unit}`)).toBe('success\n')
    await machine.run(`systemctl start ${unit}`)
    await comesBack('the start', 30)
    const modes = 'stat -c "%a %U:%G %n" /etc/sallyport/* /var/lib/sallyport'
    expect((await machine.run(modes)).trim().split('\n').toSorted()).toEqual([
      '600 postgres:postgres /etc/sallyport/pgbackrest.conf',
      '600 root:root /etc/sallyport/backup.key',
      '600 root:root /etc/sallyport/install.conf',
      '640 root:sallyport /etc/sallyport/sallyport.env',
      '640 root:sallyport /etc/sallyport/secret.key',
      '700 sallyport:sallyport /var/lib/sallyport',
    ])
  })

  test('the certificate is renewed, and nginx shows the new one', { timeout }, async () => {
    const serial = () =>
      machine.run(
        `openssl s_client -connect 127.0.0.1:443 -servername ${domain} </dev/null 2>/dev/null | openssl x509 -noout -serial`,
      )
    const was = await serial()
    expect(await machine.run('systemctl is-enabled certbot.timer')).toBe('enabled\n')
    await machine.run('certbot renew -q --force-renewal --no-random-sleep-on-renew', { timeoutMs: 120_000 })
    await until('the new certificate', async () => (await serial()) !== was, 20)
    expect(await answers()).toBe(true)
  })

  test('uninstalling leaves the data, and purging leaves nothing', { timeout }, async () => {
    const { code, stdout } = await install('--uninstall')
    console.log(stdout)
    expect(code).toBe(0)
    const named =
      'find / -xdev -iname "*sallyport*" -not -path "/var/log/*" -not -path "/var/tmp/*" -not -path "/proc/*"'
    const left = (await machine.run(named)).trim().split('\n').toSorted()
    expect(left.filter((path) => !path.startsWith('/etc/letsencrypt/'))).toEqual([
      '/etc/sallyport',
      '/etc/sallyport/sallyport.env',
      '/var/backups/sallyport',
      '/var/backups/sallyport/archive/sallyport',
      '/var/backups/sallyport/backup/sallyport',
      '/var/lib/sallyport',
    ])
    const again = await install(whole())
    expect(again.code, again.stderr).toBe(0)
    expect(again.stdout).not.toContain('console/sign-in')
    expect(await answers()).toBe(true)
    expect((await install('--uninstall --purge --yes')).code).toBe(0)
    // Backups open with the copy of the key that the operator has.
    expect(await machine.run(`${named} -not -path '/var/backups/sallyport-*/*'`)).toMatch(
      /^\/var\/backups\/sallyport-\d+\n$/,
    )
    expect(
      await machine.run('getent passwd sallyport; systemctl list-units --all --no-legend "sallyport*"; true'),
    ).toBe('')
    expect((await install(`--uninstall --release ${service.mirror.url}/${file}`)).stdout).toContain(
      'There is no Sallyport here.',
    )
  })
})
