import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

/** A stand-in for npm: it counts its runs and "installs" a Node that is the one running the tests. */
const npm = `
const fs = require('node:fs')
if (process.argv[2] === '--version') { console.log(process.env.FAKE_NPM_VERSION || '11.0.0'); process.exit(0) }
fs.writeFileSync('npm-pid', String(process.pid))
fs.appendFileSync('npm-runs', process.argv.slice(2).join(' ') + '\\n')
fs.mkdirSync('node_modules/node/bin', { recursive: true })
if (process.env.FAKE_NPM_FAILS) { console.error('npm error ' + process.env.FAKE_NPM_FAILS); process.exit(1) }
setTimeout(() => {
  const script = "require('node:fs').symlinkSync(" + JSON.stringify(process.execPath) + ", 'bin/node')"
  fs.writeFileSync('node_modules/node/installArchSpecificPackage.js', script)
  if (!process.env.FAKE_NPM_IGNORES_SCRIPTS) fs.symlinkSync(process.execPath, 'node_modules/node/bin/node')
  fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json')
}, Number(process.env.FAKE_NPM_TAKES_MS || 0))
`

const cli = `
const [name, ...rest] = process.argv.slice(2)
if (name === 'exit') process.exitCode = Number(rest[0])
if (name === 'wait') {
  process.on('SIGTERM', () => { console.log('drained'); process.exit(7) })
  setInterval(() => {}, 1000)
}
console.log('cli', name, ...rest)
`

const wholeLock = { lockfileVersion: 3, packages: { '': {}, 'node_modules/node': { version: '24.21.0' } } }

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sallyport-run-'))
  const scripts = dirname(fileURLToPath(import.meta.url))
  for (const name of ['run.mjs', 'launch']) {
    cpSync(join(scripts, name), join(root, 'scripts', name), { recursive: true })
  }
  mkdirSync(join(root, 'apps/server'), { recursive: true })
  writeFileSync(join(root, 'apps/server/cli.ts'), cli)
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  mkdirSync(join(root, 'fake'))
  writeFileSync(join(root, 'fake/package.json'), '{"type":"commonjs"}')
  writeFileSync(join(root, 'fake/npm-cli.js'), npm)
  lock(wholeLock)
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function lock(content: object): void {
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify(content))
}

function npmRuns(): string[] {
  const path = join(root, 'npm-runs')
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
}

function begin(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['scripts/run.mjs', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, npm_execpath: join(root, 'fake/npm-cli.js'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const seen = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    seen.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    seen.err += chunk
  })
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, ...seen })),
  )
  return { child, seen, ended }
}

const run = (args: string[], env?: Record<string, string>) => begin(args, env).ended

test('the first start installs and says so in one line, the second does neither', async () => {
  const first = await run(['start', '--port', '1'])
  expect(first).toMatchObject({ code: 0, out: 'cli start --port 1\n' })
  expect(first.err).toBe('Installing dependencies (first start only, about a minute)…\n')
  expect(await run(['start'])).toMatchObject({ code: 0, out: 'cli start\n', err: '' })
  expect(npmRuns()).toEqual([expect.stringMatching(/^ci --include=dev /)])
})

test('a changed lock file is installed again', async () => {
  await run(['start'])
  lock({ ...wholeLock, packages: { ...wholeLock.packages, 'node_modules/pg': { version: '8.0.0' } } })
  expect((await run(['start'])).err).toContain('Installing dependencies')
  expect(npmRuns()).toHaveLength(2)
})

test('a tree that somebody installed with npm is taken as it is', async () => {
  await run(['start'])
  rmSync(join(root, 'node_modules/.sallyport-lock'))
  expect((await run(['start'])).err).toBe('')
  expect(npmRuns()).toHaveLength(1)
})

test('a lock file without some platforms is installed by npm install, which leaves it alone', async () => {
  const tool = { version: '1.0.0', optionalDependencies: { 'tool-darwin-arm64': '1.0.0' } }
  lock({ ...wholeLock, packages: { ...wholeLock.packages, 'node_modules/tool': tool } })
  await run(['start'])
  expect(npmRuns()[0]).toMatch(/^install --no-save /)
})

test('an install that was killed is repaired by the next start', async () => {
  const { child, ended } = begin(['start'], { FAKE_NPM_TAKES_MS: '60000' })
  await expect.poll(npmRuns, { timeout: 5000 }).toHaveLength(1)
  child.kill('SIGKILL')
  process.kill(Number(readFileSync(join(root, 'npm-pid'), 'utf8')), 'SIGKILL')
  await ended
  expect(await run(['start'])).toMatchObject({ code: 0, out: 'cli start\n' })
  expect(npmRuns()).toHaveLength(2)
})

test('two starts at once install once', async () => {
  const env = { FAKE_NPM_TAKES_MS: '700' }
  const both = await Promise.all([run(['start'], env), run(['start'], env)])
  expect(both.map(({ code, out }) => [code, out])).toEqual([
    [0, 'cli start\n'],
    [0, 'cli start\n'],
  ])
  expect(npmRuns()).toHaveLength(1)
})

test('where npm ignores scripts the runtime is set up all the same', async () => {
  expect(await run(['start'], { FAKE_NPM_IGNORES_SCRIPTS: '1' })).toMatchObject({
    code: 0,
    out: 'cli start\n',
  })
  expect(existsSync(join(root, 'node_modules/.bin/node'))).toBe(true)
})

test.each([
  ['code EAI_AGAIN', 'registry could not be reached'],
  ['code EUSAGE', 'package.json and package-lock.json disagree'],
  ['code ENOSPC', 'disk is full'],
  ['code EODD', 'npm could not install the dependencies'],
])('a failing npm (%s) is explained, and nothing is taken as installed', async (words, sentence) => {
  const failed = await run(['start'], { FAKE_NPM_FAILS: words })
  expect(failed).toMatchObject({ code: 1, out: '', err: expect.stringContaining(sentence) })
  expect(failed.err).toContain(words)
  expect((await run(['start'])).code).toBe(0)
})

test('an old npm is named', async () => {
  const refused = await run(['start'], { FAKE_NPM_VERSION: '6.14.0' })
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('npm 6.14.0 is too old') })
})

test('a test run that cannot begin still ends with its counts', async () => {
  const failed = await run(['test'], { FAKE_NPM_FAILS: 'code EAI_AGAIN' })
  expect(failed).toMatchObject({ code: 1, out: '0 passed, 1 failed, 0 skipped\n' })
})

test('the exit code is passed on', async () => {
  expect((await run(['exit', '3'])).code).toBe(3)
})

test('SIGTERM reaches the program, which ends in its own way', async () => {
  const { child, seen, ended } = begin(['wait'])
  await expect.poll(() => seen.out, { timeout: 5000 }).toContain('cli wait')
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 7, out: 'cli wait\ndrained\n' })
})

describe('the cabinet', () => {
  /** A stand-in for the build: it counts its runs, and leaves something. */
  const builder = `
import fs from 'node:fs'
fs.appendFileSync('builds', 'x')
const source = fs.readFileSync('apps/web/cabinet/main.tsx', 'utf8')
await new Promise((resolve) => setTimeout(resolve, Number(process.env.FAKE_BUILD_TAKES_MS || 0)))
if (source === 'broken') { console.log('looking'); console.error('Error: nobody knows this word'); process.exit(1) }
fs.mkdirSync('apps/web/dist/cabinet', { recursive: true })
fs.writeFileSync('apps/web/dist/cabinet/built', source)
`
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const builds = () =>
    existsSync(join(root, 'builds')) ? readFileSync(join(root, 'builds'), 'utf8').length : 0
  const built = () => readFileSync(join(root, 'apps/web/dist/cabinet/built'), 'utf8')

  beforeEach(async () => {
    await run(['install'])
    write('apps/web/build.ts', builder)
    write('apps/web/cabinet/main.tsx', 'one')
    write('packages/contract/tables.ts', '')
    write('packages/domain/cabinet/pages.ts', '')
  })

  test('is built by the first start, which says so in one line, and not by the second', async () => {
    const first = await run(['start'])
    expect(first).toMatchObject({ code: 0, out: 'cli start\n' })
    expect(first.err).toMatch(/^Built the cabinet in \d+\.\d s\.\n$/)
    expect(built()).toBe('one')
    expect(await run(['start'])).toMatchObject({ code: 0, err: '' })
    expect(builds()).toBe(1)
  })

  test.each([
    ['a source', 'apps/web/cabinet/main.tsx'],
    ['a new source', 'apps/web/cabinet/screens/home/home.tsx'],
    ['a table', 'packages/contract/tables.ts'],
    ['what it shares with the service', 'packages/domain/cabinet/pages.ts'],
  ])('is built again when %s has changed', async (_what, path) => {
    await run(['start'])
    write(path, 'two')
    expect((await run(['start'])).err).toContain('Built the cabinet')
    expect(builds()).toBe(2)
  })

  test('is built again when it is gone, and not because of a test', async () => {
    await run(['start'])
    write('apps/web/cabinet/main.test.ts', 'a test')
    await run(['start'])
    expect(builds()).toBe(1)
    rmSync(join(root, 'apps/web/dist/cabinet'), { recursive: true })
    await run(['start'])
    expect(builds()).toBe(2)
  })

  test('that cannot be built does not keep the service from starting', async () => {
    write('apps/web/cabinet/main.tsx', 'broken')
    const first = await run(['start'])
    expect(first).toMatchObject({ code: 0, out: 'cli start\n' })
    expect(first.err).toBe(
      'The cabinet could not be built, and it is not served; npm run build shows all of why: Error: nobody knows this word\n',
    )
    write('apps/web/cabinet/main.tsx', 'one')
    await run(['start'])
    write('apps/web/cabinet/main.tsx', 'broken')
    expect((await run(['start'])).err).toContain('and the one built before is served;')
    expect(built()).toBe('one')
  })

  test('is built by npm run build, which fails when that does', async () => {
    const first = await run(['build'])
    expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/^Built the cabinet in/) })
    expect(await run(['build'])).toMatchObject({ code: 0, out: 'The cabinet is as its sources are.\n' })
    write('apps/web/cabinet/main.tsx', 'broken')
    const failed = await run(['build'])
    expect(failed.code).toBe(1)
    expect(failed.err).toBe('looking\nError: nobody knows this word\nThe cabinet could not be built.\n')
  })

  test('is built once by two starts at once', async () => {
    const env = { FAKE_BUILD_TAKES_MS: '700' }
    const both = await Promise.all([run(['start'], env), run(['start'], env)])
    expect(both.map(({ code, out }) => [code, out])).toEqual([
      [0, 'cli start\n'],
      [0, 'cli start\n'],
    ])
    expect(builds()).toBe(1)
  })

  test('is not built for a question, and not without its sources', async () => {
    await run(['start', '--help'])
    await run(['migrate'])
    rmSync(join(root, 'apps/web'), { recursive: true })
    expect(await run(['start'])).toMatchObject({ code: 0, err: '' })
    expect(builds()).toBe(0)
  })
})
