import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { Releases } from './releases.ts'
import { stageRelease } from './staging.ts'

const base = mkdtempSync(join(tmpdir(), 'sallyport-staging-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))
const releases = new Releases(base)

beforeEach(() => {
  rmSync(releases.folder, { recursive: true, force: true })
  mkdirSync(releases.folder, { recursive: true })
})

/** A file as `npm run release` makes it, with a program that ends so. */
const pack = (version: string, ends = 'exit 0'): string => {
  const folder = join(base, 'packing', `sallyport-${version}`)
  mkdirSync(join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'release.json'), JSON.stringify({ version, arch: process.arch }))
  writeFileSync(join(folder, 'bin/sallyport'), `#!/bin/sh\n${ends}\n`)
  chmodSync(join(folder, 'bin/sallyport'), 0o755)
  const file = join(base, `sallyport-${version}-linux-${process.arch}.tar.gz`)
  execFileSync('tar', ['-C', join(base, 'packing'), '-czf', file, `sallyport-${version}`])
  rmSync(join(base, 'packing'), { recursive: true })
  writeSum(file)
  return file
}

const writeSum = (file: string): void => {
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex')
  writeFileSync(`${file}.sha256`, `${sum}  name\n`)
}

const stage = (from: string, sha256?: string, isWanted = () => true) =>
  stageRelease(releases, { from, sha256 }, isWanted)

test('a release is unpacked under its version, and nothing else is left', async () => {
  mkdirSync(join(releases.folder, '.new-cutoff'))
  expect(await stage(pack('0.2.0'))).toBe('0.2.0')
  expect(readdirSync(releases.folder)).toEqual(['0.2.0'])
  expect(releases.list()).toEqual([{ version: '0.2.0', servedAtMs: undefined }])
})

test('one of the same version that does not serve makes room for it', async () => {
  await stage(pack('0.2.0', 'exit 0 # the first'))
  await stage(pack('0.2.0', 'exit 0 # the second'))
  expect(readFileSync(join(releases.folderOf('0.2.0'), 'bin/sallyport'), 'utf8')).toContain('the second')
})

test('one that is in use stays as it is', async () => {
  await stage(pack('0.2.0', 'exit 0 # the first'))
  await stage(pack('0.2.0', 'exit 0 # the second'), undefined, () => false)
  expect(readFileSync(join(releases.folderOf('0.2.0'), 'bin/sallyport'), 'utf8')).toContain('the first')
})

const foreign = (): string => {
  const file = join(base, 'foreign.tar.gz')
  writeFileSync(join(base, 'letter.txt'), 'hello')
  execFileSync('tar', ['-C', base, '-czf', file, 'letter.txt'])
  writeSum(file)
  return file
}

const cutOff = (): string => {
  const file = pack('0.2.0')
  writeFileSync(file, readFileSync(file).subarray(0, 100))
  writeSum(file)
  return file
}

const withoutSum = (): string => {
  const file = pack('0.2.0')
  rmSync(`${file}.sha256`)
  return file
}

test.each<[string, () => Promise<string>, RegExp]>([
  [
    'another sum',
    () => stage(pack('0.2.0'), '0'.repeat(64)),
    /came damaged: its checksum is [0-9a-f]{64}, not 0{64}/,
  ],
  ['no sum at all', () => stage(withoutSum()), /sha256 is not there; give the checksum with --sha256/],
  ['no file', () => stage(join(base, 'nothing.tar.gz')), /nothing\.tar\.gz is not there/],
  ['half an archive', () => stage(cutOff()), /cannot be unpacked/],
  ['something else', () => stage(foreign()), /is no release of Sallyport/],
  [
    'one that does not run',
    () => stage(pack('0.2.0', 'echo no such library >&2; exit 127')),
    /does not run here.\n {2}no such library/,
  ],
])('%s is refused, and nothing is left', async (_what, work, words) => {
  await expect(work()).rejects.toThrow(words)
  expect(readdirSync(releases.folder)).toEqual([])
})

test('links lead to a release at any moment, and a mark says which have served', async () => {
  await stage(pack('0.1.0'))
  await stage(pack('0.2.0'))
  releases.makeCurrent('0.1.0')
  releases.putAt(8081, '0.1.0')
  expect([releases.current(), releases.at(8081), releases.at(8082)]).toEqual(['0.1.0', '0.1.0', undefined])
  expect(releases.list().map(({ servedAtMs }) => servedAtMs !== undefined)).toEqual([true, false])
  releases.markServed('0.1.0', 5000)
  releases.markServed('0.2.0')
  releases.makeCurrent('0.2.0')
  releases.clear(8081)
  expect([releases.current(), releases.at(8081)]).toEqual(['0.2.0', undefined])
  expect(releases.list().map(({ servedAtMs = 0 }) => servedAtMs > 5000)).toEqual([false, true])
  releases.remove('0.1.0')
  expect(readdirSync(releases.folder)).toEqual(['0.2.0'])
})
