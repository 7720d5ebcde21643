import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { describeWith, mtgPath } from '../../../../test/support/engines/engines.ts'
import { fakeTlsAnswer } from '../../../../test/support/engines/fake-tls.ts'
import { mtg } from '../../../../test/support/pieces.ts'
import { freePort } from '../../../../test/support/ports.ts'
import { until } from '../../testing/fixtures.ts'
import { portProblem } from '../net/ports.ts'
import { MtgEngine } from './mtproto.ts'
import type { MtprotoAccess } from './mtproto-process.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
const frontingProblem = await portProblem('127.0.0.1', 443, ['tcp'])

/** The domain is this machine, so that what is passed on to it can be seen. */
const secretFor = (): string =>
  `ee${randomBytes(16).toString('hex')}${Buffer.from('localhost').toString('hex')}`

const accessOn = (id: string, port: number, secret = secretFor()): MtprotoAccess => ({
  id,
  revision: 1,
  kind: 'mtproto',
  listen: '127.0.0.1',
  port,
  secret,
})

describeWith(mtg, 'Telegram proxies on loopback', () => {
  let directory: string
  let engine: MtgEngine
  let alice: MtprotoAccess
  let bob: MtprotoAccess

  const create = () =>
    MtgEngine.create({
      binary: mtgPath() ?? '',
      version: '2.2.8',
      directory,
      allowPrivateTargets: true,
      log: () => {},
    })
  const serve = (...accesses: MtprotoAccess[]) => engine.apply({ inbounds: [], accesses })

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sallyport-mtg-'))
    engine = await create()
    alice = accessOn('s1', await freePort())
    bob = accessOn('s2', await freePort())
  })
  afterAll(async () => {
    await engine?.stop()
    await rm(directory, { recursive: true })
  })

  test('each answers the client that has its secret; no secret is on the disk or in the process list', async () => {
    expect(engine.health()).toMatchObject({ name: 'mtg', state: 'idle', version: '2.2.8' })
    expect(await serve(alice, bob)).toEqual([])
    expect(engine.health().state).toBe('running')
    expect(await fakeTlsAnswer(alice.port, alice.secret)).toBe('proxy')
    expect(await fakeTlsAnswer(bob.port, bob.secret)).toBe('proxy')
    expect(await readdir(directory)).toEqual([])
    const command = await readFile(`/proc/${engine.pidOf('s1')}/cmdline`, 'utf8')
    expect(command).toContain('run')
    expect(command).not.toContain(alice.secret)
  })

  test("a neighbour's secret opens nothing", async () => {
    expect(await fakeTlsAnswer(alice.port, bob.secret)).not.toBe('proxy')
    expect(await fakeTlsAnswer(alice.port, secretFor())).not.toBe('proxy')
  })

  test.skipIf(frontingProblem !== null)('a stranger is passed on to the domain of the secret', async () => {
    const domain = createServer((socket) => {
      socket
        .on('error', () => {})
        .once('data', () => socket.end(Buffer.alloc(300, Buffer.from('1603030020'.padEnd(74, '0'), 'hex'))))
    })
    domain.listen(443, '127.0.0.1')
    await once(domain, 'listening')
    expect((domain.address() as AddressInfo).port).toBe(443)
    expect(await fakeTlsAnswer(alice.port, secretFor())).toBe('stranger')
    expect(await fakeTlsAnswer(alice.port, alice.secret)).toBe('proxy')
    // The domain is of her choosing, so whoever is sent there is her guest.
    const bytesOf = async (id: string) => {
      const users = (await engine.traffic()).flatMap((run) => run.users)
      return users.find((user) => user.id === id)?.down ?? 0
    }
    await until(async () => (await bytesOf('s1')) >= 300)
    expect(await bytesOf('s2')).toBe(0)
    domain.close()
  })

  test('a new secret restarts its proxy alone', async () => {
    const [pid, neighbour] = [engine.pidOf('s1'), engine.pidOf('s2')]
    const changed = { ...alice, revision: 2, secret: secretFor() }
    expect(await serve(changed, bob)).toEqual([])
    expect(engine.pidOf('s1')).not.toBe(pid)
    expect(engine.pidOf('s2')).toBe(neighbour)
    expect(await fakeTlsAnswer(alice.port, changed.secret)).toBe('proxy')
    expect(await fakeTlsAnswer(alice.port, alice.secret)).not.toBe('proxy')
    alice = changed
  })

  test('the old secret ends also when the new one cannot be served', async () => {
    const socket = connect(alice.port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    const ended = new Promise((resolve) => socket.once('close', resolve))
    const reason = 'the secret is not a fake-TLS one'
    const wrong = { ...alice, revision: 3, secret: 'dd00' }
    expect(await serve(wrong, bob)).toEqual([{ id: 's1', revision: 3, reason }])
    await ended
    expect(await fakeTlsAnswer(alice.port, alice.secret)).toBe('nobody')
    expect(await serve(alice, bob)).toEqual([])
    expect(await fakeTlsAnswer(alice.port, alice.secret)).toBe('proxy')
  })

  test('every run is counted under its own boot id', async () => {
    const before = await engine.traffic()
    expect(before.flatMap(({ users }) => users)).toEqual([
      { id: 's1', up: 0, down: 0 },
      { id: 's2', up: 0, down: 0 },
    ])
    process.kill(engine.pidOf('s1') as number, 'SIGKILL')
    await until(() => engine.pidOf('s1') === undefined)
    expect(engine.health().detail).toContain('killed by SIGKILL')
    await until(() => engine.pidOf('s1') !== undefined)
    const after = await engine.traffic()
    expect(after[0]?.bootId).not.toBe(before[0]?.bootId)
    expect(after[1]?.bootId).toBe(before[1]?.bootId)
    expect(await fakeTlsAnswer(alice.port, alice.secret)).toBe('proxy')
  })

  test('one that cannot be served is said, and the others are', async () => {
    const bad = { ...accessOn('s3', await freePort()), secret: 'dd00' }
    const troubles = await serve(alice, bob, bad)
    expect(troubles).toEqual([{ id: 's3', revision: 1, reason: 'the secret is not a fake-TLS one' }])
    expect(await fakeTlsAnswer(bob.port, bob.secret)).toBe('proxy')
  })

  test('a removed one is gone, and so is what an earlier agent left behind', async () => {
    await serve(bob)
    expect(await fakeTlsAnswer(alice.port, alice.secret)).toBe('nobody')
    const pid = engine.pidOf('s2')
    const next = await create()
    await until(() => engine.pidOf('s2') !== pid)
    await engine.stop()
    engine = next
    expect(await fakeTlsAnswer(bob.port, bob.secret)).toBe('nobody')
  })
})
