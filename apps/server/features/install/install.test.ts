import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { MemoryLimiter } from '../../adapters/limits/memory-limiter.ts'
import { bundleAgent } from './bundle.ts'
import { FileCache } from './cache.ts'
import { type DownloadLimits, usualLimits } from './downloads.ts'
import { type EngineSource, KeptKit, type KitSources, prepareKit } from './kit.ts'
import { installRoutes } from './routes.ts'

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const url = 'https://vpn.example.com'

let folder: string
let nowMs: number
let sources: KitSources
let app: FastifyInstance

const engine = (program: string, isThere = true): EngineSource => ({
  program,
  find: async () =>
    isThere ? { path: join(folder, program), version: '1.2.3' } : { reason: `${program} is not installed.` },
})

const serve = (limits: Partial<DownloadLimits> = {}): void => {
  app = Fastify({ trustProxy: true })
  const kit = new KeptKit(
    () => prepareKit(sources),
    () => nowMs,
  )
  const limiter = new MemoryLimiter(() => nowMs)
  const downloadLimits = { ...usualLimits, ...limits }
  installRoutes(app, { kit, limiter, publicUrl: () => url, log: pino({ level: 'silent' }), downloadLimits })
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-install-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const name of ['node', 'xray', 'mtg']) await writeFile(join(folder, name), `${name} `.repeat(50_000))
  nowMs = 0
  sources = {
    cache: new FileCache(join(folder, 'cache')),
    engines: [engine('xray'), engine('mtg')],
    node: join(folder, 'node'),
    platform: 'linux',
    arch: 'x64',
    bundle: async () => 'the agent',
  }
  serve()
  onTestFinished(() => app.close())
})

const get = (path: string) => app.inject({ method: 'GET', url: path })
const filesIn = (script: string) =>
  [...script.matchAll(/^(?:FILES=')?([0-9a-f]{64}) \d+ (\S+?)'?$/gm)].map(([, sum = '', place = '']) => ({
    sum,
    path: `/install/files/${sum}/${place.slice(place.lastIndexOf('/') + 1)}.gz`,
  }))

test('the script names files, and each of them is what its checksum says', async () => {
  const script = await get('/install/agent')
  expect(script.statusCode).toBe(200)
  expect(script.headers['content-type']).toBe('text/x-shellscript; charset=utf-8')
  expect(script.headers['cache-control']).toBe('no-store')
  expect(script.body).toContain(`SERVICE_URL='${url}'`)
  const files = filesIn(script.body)
  expect(files.map(({ path }) => path.split('/').at(-1))).toEqual([
    'agent.mjs.gz',
    'node.gz',
    'xray.gz',
    'mtg.gz',
  ])
  for (const { sum, path } of files) {
    const answer = await get(path)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': String(answer.rawPayload.length),
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(sha256(gunzipSync(answer.rawPayload))).toBe(sum)
  }
})

test('HEAD tells the length and sends nothing', async () => {
  const { sum, path } = filesIn((await get('/install/agent')).body)[0] ?? { sum: '', path: '' }
  const { rawPayload } = await get(path)
  const head = await app.inject({ method: 'HEAD', url: path })
  expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([
    200,
    String(rawPayload.length),
    '',
  ])
  expect(sum).toBe(sha256('the agent'))
})

test('unknown checksums, wrong names and paths that lead elsewhere are 404', async () => {
  const { sum } = filesIn((await get('/install/agent')).body)[0] ?? { sum: '' }
  const paths = [
    `${'0'.repeat(64)}/node.gz`,
    `${sum}/node.gz`,
    `${sum}/agent.mjs`,
    'x/y',
    `..%2f..%2f/${sum}`,
  ]
  for (const path of paths) expect((await get(`/install/files/${path}`)).statusCode, path).toBe(404)
})

test('a file is there for whoever has the script of before, also after a restart', async () => {
  const files = filesIn((await get('/install/agent')).body)
  sources = { ...sources, bundle: async () => 'a newer agent' }
  nowMs += 61_000
  const newer = filesIn((await get('/install/agent')).body)
  expect(newer[0]?.sum).toBe(sha256('a newer agent'))
  expect((await get(files[0]?.path ?? '')).statusCode).toBe(200)
  serve()
  expect((await get(newer[0]?.path ?? '')).statusCode).toBe(200)
})

test('an engine that is missing is told of, and noticed when it comes', async () => {
  sources = { ...sources, engines: [engine('xray', false), engine('mtg')] }
  const before = (await get('/install/agent')).body
  expect(before).toContain("MISSING='xray is not installed.'")
  expect(before).toContain("ENGINES='bin/mtg 1.2.3'")
  sources = { ...sources, engines: [engine('xray'), engine('mtg')] }
  expect((await get('/install/agent')).body).toBe(before)
  nowMs += 61_000
  const after = (await get('/install/agent')).body
  expect(after).toContain("MISSING=''")
  expect(/^RELEASE=(.*)$/m.exec(after)?.[1]).not.toBe(/^RELEASE=(.*)$/m.exec(before)?.[1])
})

test('one address asks only so often', async () => {
  const { path } = filesIn((await get('/install/agent')).body)[0] ?? { path: '' }
  const answers = await Promise.all(
    Array.from({ length: 61 }, () => app.inject({ method: 'HEAD', url: path })),
  )
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1)
  expect((await get(path)).headers['retry-after']).toBe('600')
  const scripts = await Promise.all(Array.from({ length: 30 }, () => get('/install/agent')))
  expect(scripts.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1)
  nowMs += 601_000
  expect((await get(path)).statusCode).toBe(200)
})

let large: Pick<KitSources, 'node' | 'cache'>
beforeAll(async () => {
  const largeFolder = await mkdtemp(join(tmpdir(), 'sallyport-install-large-'))
  large = { node: join(largeFolder, 'node'), cache: new FileCache(join(largeFolder, 'cache')) }
  await writeFile(large.node, randomBytes(16_000_000))
  return () => rm(largeFolder, { recursive: true, force: true })
})

/** Of a large file, from addresses of the test's choosing; nobody reads what comes unless the test does. */
const offerLarge = async (limits: Partial<DownloadLimits>) => {
  sources = { ...sources, ...large }
  serve(limits)
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.server.closeAllConnections())
  const { path } = filesIn((await get('/install/agent')).body)[1] ?? { path: '' }
  const { port } = app.server.address() as AddressInfo
  const ask = (address: string, signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { 'x-forwarded-for': address },
      ...(signal && { signal }),
    })
  const statusAt = async (address: string) => {
    const answer = await ask(address)
    await answer.arrayBuffer()
    return answer.status
  }
  return { ask, statusAt }
}

test('only so many are sent at once, and who hangs up makes room', { timeout: 120_000 }, async () => {
  const { ask, statusAt } = await offerLarge({ most: 2 })
  const leave = new AbortController()
  const unread = [await ask('10.0.0.1', leave.signal), await ask('10.0.0.2', leave.signal)]
  const refused = await ask('10.0.0.3')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
  expect(unread.map(({ status }) => status)).toEqual([200, 200])
  await refused.text()
  leave.abort()
  await expect.poll(() => statusAt('10.0.0.3'), { timeout: 30_000 }).toBe(200)
})

test('one address has few places, and others have theirs', { timeout: 120_000 }, async () => {
  const { ask, statusAt } = await offerLarge({})
  const unread: Response[] = []
  for (let n = 0; n < 4; n++) unread.push(await ask('10.0.0.1'))
  const refused = await ask('10.0.0.1')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
  expect(await statusAt('10.0.0.2')).toBe(200)
  // Held until here: what nobody holds is hung up.
  expect(unread.map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test.each([
  ['who reads too little in a span', { spanMs: 300 }],
  ['who takes too long in all', { longestMs: 300 }],
])('%s is put out', { timeout: 120_000 }, async (_name, limits) => {
  const { ask, statusAt } = await offerLarge({ most: 1, graceMs: 120_000, ...limits })
  const slow = await ask('10.0.0.1')
  expect(slow.status).toBe(200)
  await expect.poll(() => statusAt('10.0.0.2'), { timeout: 30_000 }).toBe(200)
  await expect(slow.arrayBuffer().then(({ byteLength }) => byteLength)).rejects.toThrow()
})

test('what cannot be prepared is 503 with a script that says so, and tried again', async () => {
  const { bundle } = sources
  sources = { ...sources, bundle: () => Promise.reject(new Error('no bundler')) }
  const answer = await get('/install/agent')
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '10'])
  expect(answer.body).toMatch(/^#!\/bin\/sh\nprintf .*could not prepare.*\nexit 1\n$/)
  sources = { ...sources, bundle }
  expect((await get('/install/agent')).statusCode).toBe(200)
})

test('a service whose programs are of no use to Linux says so', async () => {
  sources = { ...sources, platform: 'darwin', arch: 'arm64' }
  expect((await get('/install/agent')).body).toContain('the service runs on darwin arm64')
})

test('the agent becomes one file that needs nothing beside it', async () => {
  const code = await bundleAgent()
  const wanted = [...code.matchAll(/^\s*import\b[^'"]*['"]([^'"]+)['"]/gm)].map(([, name = '']) => name)
  expect(wanted.filter((name) => !name.startsWith('node:') && !/^[a-z_0-9/]+$/.test(name))).toEqual([])
  const file = join(folder, 'agent.mjs')
  await writeFile(file, code)
  const { status, stderr } = spawnSync(process.execPath, [file], { env: {}, cwd: '/', encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringContaining('[agent] SALLYPORT_AGENT_DIR must name')])
})
