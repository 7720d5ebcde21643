import { afterAll, beforeAll, expect, test } from 'vitest'
import { amneziawgPath, describeWith, xrayPath } from '../test/support/engines/engines.ts'
import { bootMachine, type Machine, type Outcome } from '../test/support/machines/machine.ts'
import { machineTree } from '../test/support/machines/tree.ts'
import { amneziawg, machines, mtg, namespaces, xray } from '../test/support/pieces.ts'
import { freePort } from '../test/support/ports.ts'
import type { TestUser } from '../test/support/service.ts'
import { until } from './support/agent.ts'
import { Front } from './support/front.ts'
import { type AmneziaWgClient, startAmneziaWg } from './support/lab/clients/amnezia-wg.ts'
import type { Client, SteadyClient } from './support/lab/clients/client.ts'
import { startMtproto, startTelegram } from './support/lab/clients/mtproto.ts'
import { startXray } from './support/lab/clients/xray.ts'
import { Internet, sitePort } from './support/lab/internet.ts'
import { alignColumns } from './support/lab/matrix.ts'
import { addresses, Lab } from './support/lab/namespaces.ts'
import { Outage } from './support/lab/outage.ts'
import { type BoughtConfig, type LabNode, Vpn } from './support/lab/vpn.ts'

const site = { host: addresses.site, port: sitePort }
const little = { downBytes: 1000 }
const pace = { bytes: 2000, everyMs: 100 }
const timeout = 600_000
/** Where the kernel would take a port for somebody's outgoing connection. */
const awgPort = 45_678
const files = ['/opt/sallyport-agent', '/etc/sallyport-agent', '/run/sallyport-agent']

/** A bare Debian, the service, an operator and customers: everything else comes by the installer. */
describeWith([machines, namespaces, xray, amneziawg, mtg], 'the installer', () => {
  const engines = { xray: xrayPath() ?? '', awg: amneziawgPath() ?? '' }
  const table: string[][] = []
  let lab: Lab
  let front: Front
  let vpn: Vpn
  let node: LabNode
  let token: string
  let machine: Machine
  let user: TestUser
  let viaXray: SteadyClient
  let viaAwg: AmneziaWgClient
  let others: Client[] = []
  let clockwork: NodeJS.Timeout

  /** Minutes pass here, and the service's clock stands still unless it is turned. */
  const keepTime = () => {
    const { clock } = vpn.service
    clock.advance(Math.max(0, Math.floor(Date.now() / 1000) - clock.now()))
  }
  const look = () => vpn.node(node)
  const online = () => until('the node to be online', async () => (await look()).is_online, 60)
  const install = (options = ''): Promise<Outcome> =>
    machine.exec(`curl -fsSL ${front.url}/install/agent | sh -s -- ${options}`, { timeoutMs: 180_000 })
  const pidOf = (): Promise<string> => machine.run('systemctl show -p MainPID --value sallyport-agent')
  const current = async (): Promise<string> =>
    (await machine.run('readlink /opt/sallyport-agent/current')).trim()
  const reserved = async (): Promise<string> =>
    (await machine.run('cat /proc/sys/net/ipv4/ip_local_reserved_ports')).trim()
  const reaches = (client: Client, timeoutMs = 3000): Promise<boolean> =>
    client.tcp(site, { ...little, timeoutMs }).then(
      () => true,
      () => false,
    )
  const everybodyServed = async (): Promise<void> => {
    await vpn.applied(node)
    for (const client of [viaXray, viaAwg, ...others])
      await until(`${client.name} to reach the site`, () => reaches(client), 60)
  }
  /** How long nobody gets through while something is done to the machine, and what becomes of connections that are open. */
  const gaps = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const tunnels = { Xray: viaXray, AmneziaWG: viaAwg }
    const watched = Object.entries(tunnels).map(([name, client]) => ({
      name,
      held: client.steady(site, pace),
      outage: new Outage(() => reaches(client, 1000)),
    }))
    await until('all to be held', () => watched.every(({ held }) => held.steps.length > 0))
    const beganMs = Date.now()
    await work()
    const endedMs = Date.now()
    const row = [what, `${((endedMs - beganMs) / 1000).toFixed(1)} s`]
    for (const { name, held, outage } of watched) {
      const longestMs = await outage.over()
      const isDecided = () => !held.isRunning || held.lastAtMs > endedMs
      const fate = await until('an open connection', isDecided, 30).then(
        () => (held.isRunning ? 'go on' : 'end'),
        () => 'starve',
      )
      row.push(`through ${name} nothing for ${(longestMs / 1000).toFixed(1)} s, open connections ${fate}`)
      await held.stop()
    }
    table.push(row)
  }

  beforeAll(async () => {
    await machineTree()
    lab = await Lab.open()
    await Internet.open(lab, engines.xray)
    await startTelegram(lab)
    const port = await freePort()
    front = await Front.open(lab.managementAddress('entry'), port)
    vpn = await Vpn.open(lab, { PORT: String(port), PUBLIC_URL: front.url })
    clockwork = setInterval(keepTime, 500)
    const { token: made, ...registered } = await vpn.register('entry', 1)
    node = registered
    token = made
    user = await vpn.service.createUser({ balance: 1_000_000 })
    // What the service hands out is prepared when it is first asked for.
    await fetch(`${front.url}/install/agent`)
  }, 3 * timeout)
  afterAll(async () => {
    console.log(alignColumns(table))
    clearInterval(clockwork)
    await machine?.destroy()
    await vpn?.close()
    await front?.close()
    await lab?.close()
  }, timeout)

  test('a bare Debian becomes a node by its user-data alone', { timeout }, async () => {
    const line = `curl -fsSL --retry 5 ${front.url}/install/agent | SALLYPORT_ENROL_TOKEN=${token} sh`
    machine = await bootMachine({
      name: 'bare',
      userData: `#cloud-config\nruncmd:\n  - [sh, -c, "${line}"]\n`,
      network: {
        namespace: lab.place('entry').namespace,
        address: addresses.entry,
        resolvers: [addresses.resolver],
      },
    })
    const said = await machine.cloudInit()
    console.log(said)
    expect(said).toContain(`The agent runs, and ${front.url} hears of it.`)
    await online()
    const { engines: found } = await look()
    expect(found.map(({ name, detail }) => [name, detail])).toEqual([
      ['xray', null],
      ['amneziawg', null],
      ['mtg', null],
    ])
    expect(await machine.run('ls /var/lib/sallyport-agent')).not.toContain('enrolment-token')
    expect(await machine.run('stat -c "%a %n" /var/lib/sallyport-agent /etc/sallyport-agent/agent.env')).toBe(
      '700 /var/lib/sallyport-agent\n600 /etc/sallyport-agent/agent.env\n',
    )
  })

  test('what is bought on it carries packets, by every engine', { timeout }, async () => {
    await online()
    const [shared, awg] = [await vpn.buy(user, node, 'vless'), await vpn.buy(user, node, 'amnezia-wg-2')]
    const tuned = await vpn.ask<BoughtConfig>(user, 'PATCH', `/configs/${awg.id}/awgConfig`, {
      port: awgPort,
    })
    const personal = await vpn.buy(user, node, 'vless', {
      use_extended_settings: true,
      block_bittorrent: true,
    })
    const telegram = await vpn.ask<{ connection_url: string }>(
      user,
      'POST',
      `/configs/${shared.id}/subconfig`,
      {
        protocol: 'mtproto',
      },
    )
    await vpn.applied(node)
    viaXray = await startXray(lab, engines.xray, shared.connection_url)
    viaAwg = await startAmneziaWg(lab, engines.awg, tuned.awg_config ?? '')
    others = [
      await startXray(lab, engines.xray, personal.connection_url),
      await startMtproto(lab, telegram.connection_url),
    ]
    await everybodyServed()
    const { apply_error, engines: found } = await look()
    expect({ apply_error, details: found.map(({ detail }) => detail) }).toEqual({
      apply_error: null,
      details: [null, null, null],
    })
    expect((await viaXray.tcp(site, little)).peer).toBe(addresses.entry)
    expect((await viaAwg.udp?.(site, 'hello'))?.peer).toBe(addresses.entry)
    expect(await reserved()).toBe(`10000-29999,${awgPort}`)
  })

  test('a second run changes nothing and drops nobody', { timeout }, async () => {
    const held = [viaXray.steady(site, pace), viaAwg.steady(site, pace)]
    const before = [await pidOf(), await current()]
    const { code, stdout } = await install(`--token ${token}`)
    expect([code, stdout]).toEqual([0, `Nothing has changed: release ${before[1]} runs.\n`])
    expect([await pidOf(), await current()]).toEqual(before)
    for (const one of held) {
      await until('it to go on', () => Date.now() - one.lastAtMs < 1000)
      expect(one.isRunning).toBe(true)
      expect(one.longestSilenceMs).toBeLessThan(5000)
      await one.stop()
    }
    expect(await machine.run('ls /var/lib/sallyport-agent')).not.toContain('enrolment-token')
  })

  test('a newer service upgrades it in place', { timeout }, async () => {
    const before = await current()
    await front.release('feedfacefeedface', (agent) => `${agent}\n// newer\n`)
    expect((await install('--dry-run')).stdout).toContain('To download: agent.mjs\nFolders:')
    expect(await current()).toBe(before)
    let said = ''
    await gaps('upgrade', async () => {
      said = (await install()).stdout
    })
    expect(said).toContain('Downloading agent.mjs\nStarting release feedfacefeedface')
    expect(said).not.toContain('Downloading node')
    expect(await current()).toBe('feedfacefeedface')
    await everybodyServed()
    const releases = (await machine.run('ls /opt/sallyport-agent')).trim().split('\n')
    expect(releases.toSorted()).toEqual([before, 'current', 'feedfacefeedface'].toSorted())
  })

  test('a release that does not come up is taken back by itself', { timeout }, async () => {
    await front.release('badbadbadbadbad0', () => 'console.log("no use"); process.exit(3)')
    let outcome: Outcome | undefined
    await gaps('upgrade that fails', async () => {
      outcome = await install()
    })
    expect(outcome?.code).toBe(1)
    expect(outcome?.stderr).toContain('no use')
    expect(outcome?.stderr).toContain(
      'release badbadbadbadbad0 did not come up; its last words are above. feedfacefeedface serves again',
    )
    expect(await current()).toBe('feedfacefeedface')
    await everybodyServed()
  })

  test('it comes back by itself after a reboot, also one that the agent asked for', { timeout }, async () => {
    await gaps('reboot', () => machine.reboot())
    await online()
    await everybodyServed()
    const { boots } = machine
    await machine.run('touch /var/lib/sallyport-agent/reboot')
    await machine.untilBooted(boots + 1)
    await online()
    await everybodyServed()
    expect(await machine.run('ls /var/lib/sallyport-agent')).not.toMatch(/^reboot$/m)
    expect(await reserved()).toBe(`10000-29999,${awgPort}`)
  })

  test('the agent has few rights', { timeout }, async () => {
    const within = async (command: string): Promise<Outcome> =>
      machine.exec(
        `nsenter -t "$(systemctl show -p MainPID --value sallyport-agent)" -m -- sh -c '${command}'`,
      )
    for (const path of [
      '/etc/passwd',
      '/usr/bin/env',
      '/opt/sallyport-agent/current/agent.mjs',
      '/root/x',
      '/proc/sys/kernel/core_pattern',
    ])
      expect((await within(`echo >>${path}`)).code, path).not.toBe(0)
    for (const path of ['/run/dbus/system_bus_socket', '/run/systemd/private', '/home/.', '/dev/kmsg'])
      expect((await within(`cat ${path}`)).code, path).not.toBe(0)
    expect(
      (await within('echo x >/var/lib/sallyport-agent/try && rm /var/lib/sallyport-agent/try')).code,
    ).toBe(0)
    const status = await machine.run('cat /proc/$(systemctl show -p MainPID --value sallyport-agent)/status')
    expect(status).toMatch(/^NoNewPrivs:\t1$/m)
    expect(status).toMatch(/^Seccomp:\t2$/m)
    expect(/^CapBnd:\t(.*)$/m.exec(status)?.[1]).toBe('00000000000015e1')
  })

  test('what it does not support is refused in one line each', { timeout }, async () => {
    const script = `curl -fsSL ${front.url}/install/agent`
    const refusal = async (set: string, run = 'sh', undo = ':'): Promise<string> => {
      const { code, stderr } = await machine.exec(`${set}; ${script} | ${run}; code=$?; ${undo}; exit $code`)
      expect(code, stderr).toBe(1)
      const lines = stderr
        .trim()
        .split('\n')
        .filter((one) => !one.includes('warning:'))
      expect(lines).toHaveLength(1)
      return lines[0]?.replace('sallyport-agent: ', '') ?? ''
    }
    const pretend = (name: string, text: string) =>
      `mkdir -p /tmp/fake && printf '#!/bin/sh\\n${text}\\n' >/tmp/fake/${name} && chmod +x /tmp/fake/${name}`
    const faked = 'env PATH=/tmp/fake:/usr/sbin:/usr/bin:/sbin:/bin sh'
    const undo = 'rm -rf /tmp/fake'
    const over = (path: string, text: string) => `printf '${text}' >/tmp/over; mount --bind /tmp/over ${path}`

    expect(await refusal(':', 'setpriv --reuid=65534 --clear-groups sh')).toBe(
      'this needs root: run it with sudo sh',
    )
    expect(
      await refusal(pretend('uname', 'case $1 in -m) echo riscv64;; *) echo Linux;; esac'), faked, undo),
    ).toMatch(/^the service hands out programs for \w+, and this machine is riscv64$/)
    expect(await refusal(over('/etc/os-release', 'ID=arch\\n'), 'sh', 'umount /etc/os-release')).toMatch(
      /^this is arch ; Debian 12 and 13.* \(--force-distribution tries anyway\)$/,
    )
    expect(await refusal(over('/proc/meminfo', 'MemTotal: 200000 kB\\n'), 'sh', 'umount /proc/meminfo')).toBe(
      'this needs 380 MB of memory, and there are 200 MB',
    )
    expect(
      await refusal(
        'mkdir /tmp/opt; mount -t tmpfs -o size=50m none /opt',
        'sh',
        'umount /opt; rmdir /tmp/opt',
      ),
    ).toMatch(/^this needs \d+ MB of free disk in \/opt, and there are 5\d MB$/)
    expect(await refusal('mount -t tmpfs none /run/systemd', 'sh', 'umount /run/systemd')).toBe(
      'this needs systemd, which does not run here',
    )
    const away = `sed "s|^SERVICE_URL=.*|SERVICE_URL=http://${addresses.entry}:9|" | sh`
    expect(await refusal(':', away)).toContain(`http://${addresses.entry}:9 does not answer from here`)
    const whole = await (await fetch(`${front.url}/install/agent`)).text()
    front.answer('/install/agent', whole.replace(/^ENGINES='[^']*'/m, "ENGINES=''"))
    expect(await refusal(':')).toContain(
      'the service has no engine to hand out: run "npm run engines:install"',
    )
    await front.release('badbadbadbadbad1', (agent) => `${agent}\n// other\n`, true)
    expect(await refusal(':')).toMatch(/^agent\.mjs came damaged: its checksum is not [0-9a-f]{64}$/)
    expect(await current()).toBe('feedfacefeedface')
    expect(await machine.run('ls -A /opt/sallyport-agent')).not.toContain('.new')
  })

  test('packages that are missing come by apt alone', { timeout }, async () => {
    const apt = `mkdir -p /tmp/fake && cat >/tmp/fake/apt-get <<'END'
#!/bin/sh
echo "$*" >>/tmp/fake/asked
case $* in *install*) mv /tmp/fake/nft.away /usr/sbin/nft ;; esac
END
chmod +x /tmp/fake/apt-get; mv /usr/sbin/nft /tmp/fake/nft.away`
    await front.release('feedfacefeedface', (agent) => `${agent}\n// newer\n`)
    await machine.run(apt)
    const path = 'PATH=/tmp/fake:/usr/sbin:/usr/bin:/sbin:/bin'
    const said = await machine.run(`curl -fsSL ${front.url}/install/agent | env ${path} sh`)
    expect(said).toBe('Installing packages: nftables\nNothing has changed: release feedfacefeedface runs.\n')
    expect(await machine.run('cat /tmp/fake/asked; rm -rf /tmp/fake')).toBe(
      '-o DPkg::Lock::Timeout=300 update -qq\n-o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends nftables\n',
    )
  })

  test('a machine without its token, or with a used one, is told so', { timeout }, async () => {
    await machine.run('systemctl stop sallyport-agent; mv /var/lib/sallyport-agent /var/lib/kept')
    expect((await install()).stderr).toContain('this machine is not enrolled: give the token')
    const { code, stderr } = await install(`--token ${token}`)
    expect(code).toBe(1)
    expect(stderr).toContain('enrolment was refused')
    expect(stderr).toContain('the agent did not come up; its last words are above')
    expect(await machine.run('ls /var/lib/sallyport-agent')).not.toContain('enrolment-token')
    await machine.run('rm -rf /var/lib/sallyport-agent; mv /var/lib/kept /var/lib/sallyport-agent')
    expect((await install()).code).toBe(0)
    await everybodyServed()
  })

  test('uninstalling leaves nothing but what it knows, and that as well when asked to', {
    timeout,
  }, async () => {
    const { code, stdout } = await install('--uninstall')
    expect(code).toBe(0)
    console.log(stdout)
    for (const path of files) expect((await machine.exec(`test -e ${path}`)).code, path).toBe(1)
    expect(
      await machine.run('systemctl list-units --all --no-legend "sallyport*"; ls /etc/systemd/system'),
    ).not.toContain('sallyport')
    expect(await machine.run('nft list tables')).toBe('')
    expect(await reserved()).toBe('')
    expect((await machine.exec('pgrep -l "xray|mtg|amneziawg|node"')).stdout).toBe('')
    expect(await machine.run('ls /var/lib/sallyport-agent')).toContain('identity.json')
    expect((await install()).code).toBe(0)
    await online()
    await everybodyServed()
    expect((await install('--uninstall --purge')).stdout).toContain('Removed /var/lib/sallyport-agent.')
    expect(
      await machine.run('find / -xdev -iname "*sallyport*" -not -path "/var/log/*" -not -path "/tmp/*"'),
    ).toBe('')
    expect((await install('--uninstall')).stdout).toContain('There is no agent here.')
  })
})
