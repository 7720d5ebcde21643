import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { FileCache } from './cache.ts'

let folder: string
let cache: FileCache

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-cache-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  cache = new FileCache(join(folder, 'install'))
})

const kept = () => readdir(join(folder, 'install'))
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const content = 'some program '.repeat(10_000)
const source = () => join(folder, 'program')

test('a file is kept compressed under the hash of what it is', async () => {
  await writeFile(source(), content)
  const stored = await cache.keepFile(source())
  expect(stored).toMatchObject({ sha256: sha256(content), bytes: content.length })
  const compressed = await readFile(stored.path)
  expect(compressed.length).toBe(stored.compressedBytes)
  expect(gunzipSync(compressed).toString()).toBe(content)
  expect((await cache.keepText(content)).path).toBe(stored.path)
})

test('a file that has not changed is not read again, one that has is', async () => {
  await writeFile(source(), content)
  const first = await cache.keepFile(source())
  const made = await stat(first.path)
  const again = await new FileCache(join(folder, 'install')).keepFile(source())
  expect(again).toEqual(first)
  expect((await stat(first.path)).ino).toBe(made.ino)
  await writeFile(source(), `${content}!`)
  expect((await cache.keepFile(source())).sha256).toBe(sha256(`${content}!`))
})

test('many at once make one file, and leave nothing else behind', async () => {
  await writeFile(source(), content)
  const caches = Array.from({ length: 8 }, () => new FileCache(join(folder, 'install')))
  const stored = await Promise.all(caches.map((one) => one.keepFile(source())))
  expect(new Set(stored.map(({ path }) => path)).size).toBe(1)
  const names = await kept()
  expect(names.filter((name) => name.endsWith('.gz'))).toEqual([`${sha256(content)}.gz`])
  expect(names.filter((name) => name.startsWith('.'))).toEqual([])
})

test('one that cannot be read leaves nothing behind', async () => {
  await expect(cache.keepFile(join(folder, 'nothing'))).rejects.toThrow('ENOENT')
  await expect(cache.keepFile(folder)).rejects.toThrow('EISDIR')
  expect(await kept()).toEqual([])
})

test('what was not used for a month goes, and what was begun and left after a day', async () => {
  const nowMs = Date.now()
  const { path } = await cache.keepText(content)
  const [old, begun] = ['old.gz', '.begun'].map((name) => join(folder, 'install', name))
  for (const file of [old, begun] as string[]) await writeFile(file, '')
  const daysAgo = (days: number) => new Date(nowMs - days * 86_400_000)
  await utimes(old as string, daysAgo(31), daysAgo(31))
  await utimes(begun as string, daysAgo(2), daysAgo(2))
  await utimes(path, daysAgo(40), daysAgo(40))
  await cache.keepText(content)
  await cache.tidy(nowMs)
  expect(await kept()).toEqual([`${sha256(content)}.gz`])
})
