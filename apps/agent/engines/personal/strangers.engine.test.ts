import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { describeWith, xrayPath } from '../../../../test/support/engines/engines.ts'
import { startTlsSite, type TlsSite } from '../../../../test/support/engines/tls-site.ts'
import { startDownload, startXrayClient } from '../../../../test/support/engines/xray-client.ts'
import { namespaces, type Piece, programIn, xray } from '../../../../test/support/pieces.ts'
import { freePort } from '../../../../test/support/ports.ts'
import { sleep } from '../../common/backoff.ts'
import { access, inboundOn, until } from '../../testing/fixtures.ts'
import { type Instance, instanceOn } from '../../testing/personal-fixtures.ts'
import { OwnSite } from '../net/site.ts'
import { XrayEngine } from '../xray/xray.ts'
import { PersonalEngine } from './personal.ts'

/** Whoever has no key is passed on to the borrowed site: for whom that counts, and how much of it there is. */

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
const megabyte = 1_000_000
/** Packets are counted with their headers, and a busy machine sends more and smaller ones. Twice would be 2. */
const withHeaders = 1.2
const fullSpeedBytes = 2 * 1024 * 1024

const nft: Piece = {
  name: 'nft',
  enable: 'install nftables to run them',
  find: () => programIn(['/usr/bin', '/usr/sbin'], 'nft'),
}

describeWith([xray, namespaces, nft], 'strangers at REALITY', () => {
  const binary = xrayPath() ?? ''
  let site: TlsSite
  let directory: string
  let engine: PersonalEngine
  let alice: Instance
  let bob: Instance

  const serve = (ownTargets: readonly string[] = []) =>
    engine.apply({ inbounds: [], accesses: [alice.access, bob.access], ownTargets })
  const countedFor = async (id: string) => {
    const users = (await engine.traffic()).flatMap((run) => run.users)
    return users.find((user) => user.id === id) ?? { up: 0, down: 0 }
  }
  /** Of the counters; others may run here too. */
  const tableOf = ({ access }: Instance): string | undefined => {
    const listed = JSON.parse(execFileSync('nft', ['-j', 'list', 'counters']).toString())
    const counters = listed.nftables.flatMap(
      (one: { counter?: { name: string; table: string } }) => one.counter ?? [],
    )
    return counters.find(({ name }: { name: string }) => name === `down_${access.port}`)?.table
  }
  /** A browser that knows of no key. */
  const knock = (port: number, path: string, body = '') => {
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false })
    let bytes = 0
    socket
      .on('error', () => {})
      .on('data', (data: Buffer) => {
        bytes += data.length
      })
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    const head = `Host: localhost\r\nContent-Length: ${body.length}\r\nConnection: close`
    socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n\r\n${body}`)
    return { bytes: () => bytes, ended, close: () => socket.destroy() }
  }
  const download = async ({ outbound }: Instance, size: number): Promise<number> => {
    const client = await startXrayClient(binary, directory, outbound)
    const got = await (await startDownload(client, site.port, `/bytes/${size}`)).ended
    await client.close()
    return got
  }

  beforeEach(async () => {
    site = await startTlsSite(binary)
    directory = await mkdtemp(join(tmpdir(), 'sallyport-strangers-'))
    engine = await PersonalEngine.create({
      binary,
      version: '1.2.3',
      directory,
      allowPrivateTargets: true,
      siteTarget: async () => 'unused',
      log: () => {},
    })
    alice = instanceOn('c1', await freePort(), site.port)
    bob = instanceOn('c2', await freePort(), site.port)
  })
  afterEach(async () => {
    await engine.stop()
    await site.close()
    await rm(directory, { recursive: true })
  })

  test('of a site that the customer chose count for the customer, both ways', async () => {
    expect(await serve()).toEqual([])
    const visit = knock(alice.access.port, `/bytes/${megabyte}`, 'x'.repeat(200_000))
    await visit.ended
    expect(visit.bytes()).toBeGreaterThan(megabyte)
    const { up, down } = await countedFor('c1')
    expect(down).toBeGreaterThan(megabyte)
    expect(down).toBeLessThan(withHeaders * megabyte)
    expect(up).toBeGreaterThan(200_000)
    expect(up).toBeLessThan(250_000)
    expect(await countedFor('c2')).toMatchObject({ up: 0, down: 0 })
  })

  test('and are added to what the customer moves, which is counted once', async () => {
    await serve()
    await download(alice, megabyte)
    const own = (await countedFor('c1')).down
    expect(own).toBeGreaterThan(megabyte)
    expect(own).toBeLessThan(withHeaders * megabyte)
    await knock(alice.access.port, `/bytes/${megabyte}`).ended
    const both = (await countedFor('c1')).down
    expect(both).toBeGreaterThan(own + 0.9 * megabyte)
    expect(both).toBeLessThan(own + withHeaders * megabyte)
  })

  test('are counted on after somebody took all tables away', async () => {
    await serve()
    await knock(alice.access.port, `/bytes/${megabyte}`).ended
    const before = (await countedFor('c1')).down
    execFileSync('nft', ['delete', 'table', 'inet', tableOf(alice) ?? ''])
    expect((await countedFor('c1')).down).toBe(before)
    await knock(alice.access.port, `/bytes/${megabyte}`).ended
    expect((await countedFor('c1')).down).toBeGreaterThan(before + megabyte)
  })

  test('of a site of the server are nobody’s, and after a page or two a trickle', async () => {
    await serve([`127.0.0.1:${site.port}`])
    const visit = knock(alice.access.port, `/bytes/${20 * megabyte}`)
    await until(() => visit.bytes() > fullSpeedBytes - 100_000)
    await sleep(2000)
    expect(visit.bytes()).toBeLessThan(fullSpeedBytes + 500_000)
    visit.close()
    expect(await countedFor('c1')).toMatchObject({ up: 0, down: 0 })
    // The customer is not slowed down.
    expect(await download(alice, 5 * megabyte)).toBeGreaterThan(5 * megabyte)
  })

  test('at a shared inbound get no more than a trickle either', async () => {
    const inbound = inboundOn(await freePort(), site.port)
    const options = { binary, version: '', directory, allowPrivateTargets: true, log: () => {} }
    const shared = await XrayEngine.create({ ...options, siteTarget: new OwnSite().target })
    try {
      expect(await shared.apply({ inbounds: [inbound], accesses: [access('c3')] })).toEqual([])
      const visit = knock(inbound.port, `/bytes/${20 * megabyte}`)
      await until(() => visit.bytes() > fullSpeedBytes - 100_000)
      await sleep(2000)
      expect(visit.bytes()).toBeLessThan(fullSpeedBytes + 500_000)
      visit.close()
    } finally {
      await shared.stop()
    }
  })

  test('leave no table behind', async () => {
    await serve()
    expect(tableOf(alice)).toMatch(/^sallyport_ports_/)
    const table = tableOf(alice) ?? ''
    await engine.stop()
    expect(execFileSync('nft', ['list', 'tables']).toString()).not.toContain(table)
  })
})
