import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Access, Inbound } from '@sallyport/contract/agent/agent'
import { sleep } from '../../../apps/agent/common/backoff.ts'
import { MtgEngine } from '../../../apps/agent/engines/mtproto/mtproto.ts'
import type { MtprotoAccess } from '../../../apps/agent/engines/mtproto/mtproto-process.ts'
import { PersonalEngine } from '../../../apps/agent/engines/personal/personal.ts'
import type { InstanceAccess } from '../../../apps/agent/engines/personal/personal-instance.ts'
import { until } from '../../../apps/agent/testing/fixtures.ts'
import { instanceOn } from '../../../apps/agent/testing/personal-fixtures.ts'
import { startDnsAnswers } from './dns-answers.ts'

/** Run inside a network namespace of its own: tells where strangers are sent that knock at customers' programs. */

const [directory = '', xray = '', mtg = ''] = process.argv.slice(2)
const hostile = 'rebind.example.com'
const own = 'www.example.com'
const [first, second, inside] = ['203.0.113.2', '203.0.113.3', '127.0.0.1']
const answers = new Map([[own, [inside]]])
const firstSaid = (stranger: string): string => stranger.replace(/^from (\S+)$/s, '$1')

/** How often somebody looked where the hostile name leads. */
let looks = 0
await startDnsAnswers('127.0.0.53', (name) => {
  if (name === hostile) looks += 1
  return answers.get(name) ?? []
})
const secret = createServer((socket) => socket.on('error', () => {}).end(`from ${socket.localAddress}`))
secret.listen(443, inside)
await once(secret, 'listening')

/** What somebody without any key is told at the port; nothing when nobody listens there. */
const knock = async (port: number): Promise<string> => {
  const socket = connect(port, '127.0.0.1').setTimeout(5000, () => socket.destroy())
  socket.write('GET / HTTP/1.0\r\n\r\n')
  return firstSaid(await text(socket).catch(() => ''))
}

const rings: (() => void)[] = []
const options = {
  version: '',
  directory,
  allowPrivateTargets: false,
  log: (line: string) => console.error(line),
  every: (work: () => void) => {
    rings.push(work)
    return () => {}
  },
}
const personal = await PersonalEngine.create({ ...options, binary: xray, siteTarget: async () => 'unused' })
const proxies = await MtgEngine.create({ ...options, binary: mtg })

const instance = (id: string, port: number, site: string): InstanceAccess => {
  const { access } = instanceOn(id, port, 1)
  return { ...access, config: access.config.replace('127.0.0.1:1"', `${site}:443"`) }
}
const proxy = (id: string, port: number, site: string): MtprotoAccess => ({
  id,
  revision: 1,
  kind: 'mtproto',
  listen: '127.0.0.1',
  port,
  secret: `ee${randomBytes(16).toString('hex')}${Buffer.from(site).toString('hex')}`,
})
const accesses = [
  instance('c1', 12_001, hostile),
  proxy('s1', 12_002, hostile),
  instance('c2', 12_003, own),
  proxy('s2', 12_004, own),
]
/** What older services say of their own sites, too. */
const reality = { target: `${own}:443`, server_names: [], private_key: '', short_ids: [] }
const inbounds: Inbound[] = [{ tag: 'v', protocol: 'vless', listen: '::1', port: 1, reality }]
const apply = async (ownTargets: readonly string[] | undefined, served: readonly Access[] = accesses) => {
  const state = { inbounds, accesses: served, ownTargets }
  const troubles = [...(await personal.apply(state)), ...(await proxies.apply(state))]
  return troubles.map(({ id, reason }) => ({ [String(id)]: reason }))
}
const reached = async () => ({
  c1: await knock(12_001),
  s1: await knock(12_002),
  c2: await knock(12_003),
  s2: await knock(12_004),
})
const ownTargets = [`${own}:443`]
/** Longer than a program takes from a look at its site until it is stopped or has come up anew. */
const aMomentMs = 1000
/** One look at everybody's site, and the time that programs take to come up anew. */
const lookAgain = async (expected: string): Promise<void> => {
  if (personal.health().own_sites_only) return
  const before = looks
  for (const ring of rings) ring()
  await until(() => looks > before)
  await sleep(aMomentMs)
  // A program answers a little before its engine calls it up.
  const runs = () => personal.pidOf('c1') !== undefined && proxies.pidOf('s1') !== undefined
  const isThere = async () =>
    (await knock(12_001)) === expected && (await knock(12_002)) === expected && runs()
  await until(isThere, 20_000).catch(() => {})
}
/** Kills those that run, and waits until they were to come back. */
const crash = async (): Promise<void> => {
  const pids = [personal.pidOf('c1'), proxies.pidOf('s1')].filter((pid) => pid !== undefined)
  if (pids.length === 0) return
  const before = looks
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  await until(() => personal.pidOf('c1') === undefined && proxies.pidOf('s1') === undefined)
  await until(() => looks > before)
  await sleep(aMomentMs)
}

answers.set(hostile, [inside])
const atFirst = { troubles: await apply(ownTargets), reached: await reached() }
const verdicts = [await personal.tryConfig(instance('t', 1, hostile).config, ownTargets)]
answers.set(hostile, [first])
verdicts.push(await personal.tryConfig(instance('t', 1, hostile).config, ownTargets))
await apply(ownTargets, [])
const notSaid = { troubles: await apply(undefined), reached: await reached() }
const said = { troubles: await apply(ownTargets), reached: await reached() }
answers.set(hostile, [inside])
await lookAgain(first)
const rebound = await reached()
answers.set(hostile, [second])
await lookAgain(second)
const moved = await reached()
answers.set(hostile, [inside])
await crash()
const crashed = await reached()
const health = [personal.health().own_sites_only ?? false, proxies.health().own_sites_only ?? false]
await personal.stop()
await proxies.stop()
console.log(JSON.stringify({ atFirst, verdicts, notSaid, said, rebound, moved, crashed, health }))
process.exit()
