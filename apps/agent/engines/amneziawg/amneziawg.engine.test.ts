import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { amneziawgPath, describeWith } from '../../../../test/support/engines/engines.ts'
import { amneziawg, namespaces } from '../../../../test/support/pieces.ts'
import { until } from '../../testing/fixtures.ts'
import {
  clientConfig,
  customer,
  hers,
  his,
  inbound,
  parameters,
  personal,
  personalAccess,
  sharedAccess,
} from '../../testing/tunnel-customers.ts'
import { EngineHost, ip, join, keyPair, TunnelClient } from '../../testing/tunnels.ts'
import { tunnelNames } from './tunnel-plan.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

const space = (name: string): string => `spc-${process.pid}-${name}`
const spaces = ['node', 'web', 'alice', 'bob', 'carol', 'lan'].map(space)
const [node, web, alice, bob, carol, lan] = spaces as [string, string, string, string, string, string]
const interfaceName = (index: number): string => `spc${process.pid.toString(36)}${index}`
const site = '198.51.100.2'
const echoPort = 7
const [takenPort, halfTakenPort] = [8, 9]
const echoProgram = `const { createSocket } = require('dgram')
createSocket('udp4').bind(${takenPort})
createSocket({ type: 'udp6', ipv6Only: true }).bind(${halfTakenPort})
require('net').createServer((socket) => {
  socket.on('error', () => {}); socket.write(socket.remoteAddress + '\\n'); socket.pipe(socket)
}).listen(${echoPort}, () => console.log('ready'))`

describeWith([namespaces, amneziawg], 'AmneziaWG between network namespaces', () => {
  const binary = amneziawgPath() ?? ''
  const clients = {
    alice: new TunnelClient(alice, interfaceName(1)),
    bob: new TunnelClient(bob, interfaceName(2)),
    carol: new TunnelClient(carol, interfaceName(3)),
  }
  const [one, two] = [sharedAccess('c1', hers), sharedAccess('c2', his)]
  const everybody = { inbounds: [inbound], accesses: [one, two, personalAccess()] }
  const servers: ChildProcess[] = []
  let directory: string
  let host: EngineHost

  const startHost = (prefix: string[] = []) => new EngineHost(node, prefix, [binary, '0.2.19', directory])
  const serveEcho = async (where: string): Promise<void> => {
    const child = spawn('ip', ['netns', 'exec', where, process.execPath, '-e', echoProgram])
    servers.push(child)
    await new Promise((resolve) => child.stdout.once('data', resolve))
  }
  const pidsByOwner = async () => {
    const { interfaceOf } = tunnelNames(directory)
    const pids = await host.pids()
    return { shared: pids[interfaceOf('inbound:wg-1')], personal: pids[interfaceOf('access:c3')] }
  }

  beforeAll(async () => {
    directory = await mkdtemp(joinPath(tmpdir(), 'sallyport-awg-'))
    for (const name of spaces) await ip('netns', 'add', name)
    await join(node, '198.51.100.1', web, site)
    await join(node, '203.0.113.1', alice, '203.0.113.2')
    await join(node, '192.0.2.1', bob, '192.0.2.2')
    await join(node, '198.51.101.1', carol, '198.51.101.2')
    await join(node, '192.168.77.1', lan, '192.168.77.2')
    await ip('-n', lan, 'route', 'add', 'default', 'via', '192.168.77.1')
    await Promise.all([serveEcho(web), serveEcho(node), serveEcho(lan), serveEcho(bob)])
    const routes = ['198.51.100.0/24', '192.168.77.0/24', '100.64.0.0/10']
    await Promise.all([
      clients.alice.start(binary, hers.address, routes, clientConfig(hers, '203.0.113.1', null, 51820)),
      clients.bob.start(binary, his.address, routes, clientConfig(his, '192.0.2.1', null, 51820)),
      clients.carol.start(
        binary,
        personal.address,
        routes,
        clientConfig(personal, '198.51.101.1', parameters, 51830),
      ),
    ])
    host = startHost()
  })
  afterAll(async () => {
    await host?.stop()
    await host?.kill()
    for (const child of servers) child.kill('SIGKILL')
    await Promise.all(Object.values(clients).map((client) => client.stop()))
    for (const name of spaces) await ip('netns', 'delete', name).catch(() => {})
    await rm(directory, { recursive: true })
  })

  test('with nobody to serve nothing runs and nothing is changed', async () => {
    expect(await host.apply({ inbounds: [inbound], accesses: [] })).toEqual([])
    expect(await host.health()).toEqual({ name: 'amneziawg', state: 'idle', version: '0.2.19', detail: null })
    expect((await ip('netns', 'exec', node, 'nft', 'list', 'ruleset')).stdout).toBe('')
  })

  test('without the right to change the network it says what to do, and serves nobody', async () => {
    const powerless = startHost(['setpriv', '--bounding-set=-net_admin'])
    const refusal = expect.stringContaining('CAP_NET_ADMIN')
    expect(await powerless.apply(everybody)).toEqual([{ id: null, revision: null, reason: refusal }])
    expect(await powerless.health()).toMatchObject({ state: 'refused', detail: refusal })
    await powerless.kill()
  })

  test('all customers reach the internet from the address of the node, and are counted', async () => {
    expect(await host.apply(everybody)).toEqual([])
    expect(await host.health()).toMatchObject({ state: 'running', detail: null })
    for (const client of Object.values(clients)) {
      const connection = client.open(site, echoPort)
      expect(await connection.echoes('x'.repeat(100_000))).toBe(true)
      expect(connection.received.split('\n')[0]).toBe('::ffff:198.51.100.1')
      connection.close()
    }
    const counted = (await host.traffic()).flatMap(({ users }) => users)
    expect(counted.map(({ id }) => id).sort()).toEqual(['c1', 'c2', 'c3'])
    for (const { up, down } of counted) {
      for (const bytes of [up, down]) {
        expect(bytes).toBeGreaterThan(100_000)
        expect(bytes).toBeLessThan(130_000)
      }
    }
  })

  test('check 34: a tunnel reaches neither the node, nor its network, nor another customer', async () => {
    expect(await host.apply(everybody)).toEqual([])
    const { alice: client, bob: other } = clients
    expect(await other.reaches(site, echoPort), 'who never came could not be reached anyway').toBe(true)
    const targets = ['192.168.77.1', '192.168.77.2', '198.51.100.1', '100.64.0.1', his.address]
    expect(await Promise.all(targets.map((target) => client.reaches(target, echoPort, 1500)))).toEqual(
      targets.map(() => false),
    )
    expect(await client.reaches(site, echoPort)).toBe(true)
  })

  test('a removed customer is cut at once; a connection goes on while 500 others come and go, counters too', async () => {
    const before = await pidsByOwner()
    const kept = clients.alice.open(site, echoPort)
    const cut = clients.bob.open(site, echoPort)
    expect(await Promise.all([kept.echoes('kept-1'), cut.echoes('cut-1')])).toEqual([true, true])
    const bytesOf = async (id: string) =>
      (await host.traffic()).flatMap(({ users }) => users).find((user) => user.id === id)?.up ?? 0
    const used = await bytesOf('c2')
    const others = Array.from({ length: 500 }, (_, index) =>
      sharedAccess(`x${index}`, customer(`100.65.${index >> 8}.${index & 255}`)),
    )
    expect(await host.apply({ ...everybody, accesses: [...everybody.accesses, ...others] })).toEqual([])
    expect(await kept.echoes('kept-2')).toBe(true)
    expect(await host.apply({ inbounds: [inbound], accesses: [one, personalAccess()] })).toEqual([])
    expect(await cut.echoes('cut-2', 1500)).toBe(false)
    expect(await kept.echoes('kept-3')).toBe(true)
    expect(await bytesOf('c2')).toBeGreaterThanOrEqual(used)
    expect(await host.apply(everybody)).toEqual([])
    expect(await bytesOf('c2')).toBeGreaterThanOrEqual(used)
    expect(await kept.echoes('kept-4')).toBe(true)
    expect(await pidsByOwner()).toEqual(before)
    kept.close()
    cut.close()
  })

  test('other parameters and another port are taken live; the old ones no longer connect', async () => {
    const before = await pidsByOwner()
    const neighbour = clients.alice.open(site, echoPort)
    expect(await neighbour.echoes('before')).toBe(true)
    const shape = { ...parameters, s1: 20, s2: 100, s4: 0, h1: 5, h4: 9 }
    const changed = personalAccess({ parameters: shape, port: 51831, revision: 2 })
    expect(await host.apply({ inbounds: [inbound], accesses: [one, two, changed] })).toEqual([])
    await clients.carol.configure(clientConfig(personal, '198.51.101.1', parameters, 51831))
    expect(await clients.carol.reaches(site, echoPort, 1500)).toBe(false)
    await clients.carol.configure(clientConfig(personal, '198.51.101.1', shape, 51831))
    expect(await clients.carol.reaches(site, echoPort)).toBe(true)
    // The session itself could go on with this one, and would break only at its next handshake.
    const session = clients.carol.open(site, echoPort)
    expect(await session.echoes('before')).toBe(true)
    const newer = personalAccess({ parameters: { ...shape, h1: 77 }, port: 51831, revision: 3 })
    expect(await host.apply({ inbounds: [inbound], accesses: [one, two, newer] })).toEqual([])
    expect(await session.echoes('after', 1500)).toBe(false)
    expect(await neighbour.echoes('after')).toBe(true)
    expect(await pidsByOwner()).toEqual(before)
    neighbour.close()
    session.close()
    expect(await host.apply(everybody)).toEqual([])
  })

  test('padding is not counted, however much of it a customer wishes', async () => {
    const shape = { ...parameters, s4: 400 }
    const padded = personalAccess({ parameters: shape, revision: 4 })
    expect(await host.apply({ inbounds: [inbound], accesses: [one, two, padded] })).toEqual([])
    await clients.carol.configure(clientConfig(personal, '198.51.101.1', shape, 51830))
    expect(await clients.carol.reaches(site, echoPort)).toBe(true)
    const counted = async () =>
      (await host.traffic()).flatMap(({ users }) => users).find(({ id }) => id === 'c3') ?? { up: 0, down: 0 }
    const before = await counted()
    const connection = clients.carol.open(site, echoPort)
    expect(await connection.echoes('x'.repeat(100_000))).toBe(true)
    const after = await counted()
    for (const bytes of [after.up - before.up, after.down - before.down]) {
      expect(bytes).toBeGreaterThan(100_000)
      expect(bytes).toBeLessThan(115_000)
    }
    connection.close()
    expect(await host.apply(everybody)).toEqual([])
  })

  test('what cannot be taken is refused by name, and what was there stays in force', async () => {
    await clients.carol.configure(clientConfig(personal, '198.51.101.1', parameters, 51830))
    expect(await clients.carol.reaches(site, echoPort)).toBe(true)
    const before = await pidsByOwner()
    const wrong = [
      personalAccess({ revision: 7, parameters: { ...parameters, jmin: 80 } }),
      personalAccess({ revision: 7, port: inbound.port }),
      personalAccess({ revision: 7, port: takenPort }),
      // Only the engine itself finds out about this one, when it has let go of the port that it had.
      personalAccess({ revision: 7, port: halfTakenPort, parameters: { ...parameters, h1: 5 } }),
    ]
    for (const access of wrong) {
      const troubles = await host.apply({ inbounds: [inbound], accesses: [one, two, access] })
      expect(troubles).toEqual([{ id: 'c3', revision: 7, reason: expect.any(String) }])
      expect(await clients.carol.reaches(site, echoPort)).toBe(true)
    }
    expect(await pidsByOwner()).toEqual(before)
    expect(await host.apply(everybody)).toEqual([])
  })

  test('other keys end what the old ones hold open, and let in the new, without a new start', async () => {
    const before = await pidsByOwner()
    const kept = clients.alice.open(site, echoPort)
    // The node forgot this session when it was removed above, and a client finds that out by itself only after a while.
    await clients.bob.configure(clientConfig(his, '192.0.2.1', null, 51820))
    const [cut, mine] = [clients.bob.open(site, echoPort), clients.carol.open(site, echoPort)]
    const all = [kept, cut, mine]
    expect(await Promise.all(all.map((one) => one.echoes('before')))).toEqual([true, true, true])
    const [newBob, newCarol] = [customer(his.address), customer(personal.address)]
    const { account } = sharedAccess('c3', newCarol)
    const { protocol, ...peer } = account as Extract<typeof account, { protocol: 'wg' }>
    const keys = keyPair()
    const changed = personalAccess({ revision: 8, private_key: keys.privateKey, peer })
    const accesses = [one, { ...sharedAccess('c2', newBob), revision: 8 }, changed]
    expect(await host.apply({ inbounds: [inbound], accesses })).toEqual([])
    const still = await Promise.all([
      kept.echoes('after'),
      cut.echoes('after', 1500),
      mine.echoes('after', 1500),
    ])
    expect(still).toEqual([true, false, false])
    await clients.bob.configure(clientConfig(his, '192.0.2.1', null, 51820))
    await clients.carol.configure(clientConfig(personal, '198.51.101.1', parameters, 51830))
    expect(await clients.bob.reaches(site, echoPort, 1500)).toBe(false)
    expect(await clients.carol.reaches(site, echoPort, 1500)).toBe(false)
    await clients.bob.configure(clientConfig(newBob, '192.0.2.1', null, 51820))
    const itself = clientConfig(newCarol, '198.51.101.1', parameters, 51830)
    await clients.carol.configure({ ...itself, serverKey: keys.publicKey })
    expect(await clients.bob.reaches(site, echoPort)).toBe(true)
    expect(await clients.carol.reaches(site, echoPort)).toBe(true)
    expect(await pidsByOwner()).toEqual(before)
    for (const each of all) each.close()
    expect(await host.apply(everybody)).toEqual([])
    await clients.bob.configure(clientConfig(his, '192.0.2.1', null, 51820))
    await clients.carol.configure(clientConfig(personal, '198.51.101.1', parameters, 51830))
    expect(await clients.carol.reaches(site, echoPort)).toBe(true)
  })

  test('the old keys end also when the rest of what is asked cannot be', async () => {
    const connection = clients.carol.open(site, echoPort)
    expect(await connection.echoes('before')).toBe(true)
    const { account } = sharedAccess('c3', customer(personal.address))
    const { protocol, ...peer } = account as Extract<typeof account, { protocol: 'wg' }>
    const wanted = personalAccess({ revision: 9, port: takenPort, peer })
    const refused = [{ id: 'c3', revision: 9, reason: expect.stringContaining('taken') }]
    expect(await host.apply({ inbounds: [inbound], accesses: [one, two, wanted] })).toEqual(refused)
    expect(await connection.echoes('after', 1500)).toBe(false)
    expect(await clients.carol.reaches(site, echoPort, 1500)).toBe(false)
    connection.close()
    expect(await host.apply(everybody)).toEqual([])
  })

  test('a killed engine is started again with everybody, under a new boot id', async () => {
    const bootsOf = async () => (await host.traffic()).map(({ bootId }) => bootId)
    const [before, pids] = [await bootsOf(), await pidsByOwner()]
    process.kill(pids.shared ?? 0, 'SIGKILL')
    await until(async () => (await host.health()).state === 'crashed')
    expect((await host.health()).detail).toContain('SIGKILL')
    await until(async () => (await host.health()).state === 'running')
    // By itself a client notices after 15 seconds that its session is gone.
    await clients.alice.configure(clientConfig(hers, '203.0.113.1', null, 51820))
    expect(await clients.alice.reaches(site, echoPort)).toBe(true)
    const after = await bootsOf()
    expect(before.filter((bootId) => after.includes(bootId))).toHaveLength(1)
  })

  test('what a killed agent left behind is replaced, and nothing is left when it stops', async () => {
    const leftovers = Object.values(await host.pids())
    await host.kill()
    host = startHost()
    expect(await host.apply(everybody)).toEqual([])
    const commands = leftovers.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''))
    expect(await Promise.all(commands)).toEqual(['', ''])
    await host.stop()
    const { prefix } = tunnelNames(directory)
    expect((await ip('-n', node, 'link')).stdout).not.toContain(prefix)
    expect((await readdir('/var/run/amneziawg')).filter((file) => file.startsWith(prefix))).toEqual([])
    expect(await readdir(directory)).toEqual([])
    expect((await ip('netns', 'exec', node, 'nft', 'list', 'ruleset')).stdout).toBe('')
  })
})
