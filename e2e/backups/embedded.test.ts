import { randomBytes } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { demand } from '../support/call.ts'
import { readCredentials } from '../support/demo.ts'
import { type Env, makePlace, type Place } from '../support/process.ts'
import { addSellingNodes } from '../support/stand-in-agent.ts'
import { Buyers, must, smallDisk, type } from './buyers.ts'

/** The embedded database as one sealed file: made under load, and brought back elsewhere. */

const home = mkdtempSync(join(tmpdir(), 'sallyport-backups-'))
const repository = join(home, 'repository')
const keyFile = join(home, 'backup.key')
const cleanUps: (() => unknown)[] = [async () => rmSync(home, { recursive: true, force: true })]
const nodeFlags = ['--liftoff-only']
let place: Place
let env: Env

beforeAll(async () => {
  writeFileSync(keyFile, randomBytes(36).toString('base64'))
  place = await makePlace({
    env: { BACKUP_REPOSITORY: repository, BACKUP_KEY_FILE: keyFile },
    databaseCopyOf: inject('embeddedTemplates').empty,
    nodeFlags,
    onEnd: (cleanUp) => void cleanUps.push(cleanUp),
  })
  // Set up with it, as the first start would have.
  writeFileSync(join(place.dataDir, 'secret.key'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  env = place.env
})
afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp()
})

const filesIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.endsWith('.sallyport-backup'))

const elsewhere = (name: string): Env => ({ ...env, DATA_DIR: join(home, name) })

describe('a machine that is lost', () => {
  test('comes back from the file and the passphrase, with every purchase of before the backup', async () => {
    const service = await place.start()
    const { operator_token: operatorToken, api_key: apiKey } = readCredentials(place.dataDir)
    const agent = await addSellingNodes(service.url, operatorToken, { priceRub: 10, days: 30, seed: 1 })
    await agent.beat(service.url)
    const buyers = await Buyers.open(service.url, operatorToken, 4, [1, 2])
    const load = buyers.goOn(service.url)
    while (buyers.bought.length < 5) await new Promise((resolve) => setTimeout(resolve, 50))
    const beganMs = Date.now()
    const made = await must(env, 'backup')
    expect(made).toContain(`Backed up to ${repository}: `)
    const before = buyers.bought.length
    while (buyers.bought.length < before + 2) await new Promise((resolve) => setTimeout(resolve, 50))
    await service.kill()
    buyers.stop()
    await load
    const secretKey = readFileSync(join(place.dataDir, 'secret.key'), 'utf8')
    rmSync(join(place.dataDir, 'database'), { recursive: true })

    const other = elsewhere('elsewhere')
    const told = await must(other, 'restore')
    expect(told).toMatch(/the books of \d+ accounts and \d+ transfers are exact/)
    expect(told).toMatch(/The last thing written down in it is of \d{4}-/)
    expect(readFileSync(join(home, 'elsewhere', 'secret.key'), 'utf8')).toBe(secretKey)
    expect(statSync(join(home, 'elsewhere', 'secret.key')).mode & 0o777).toBe(0o600)
    expect(statSync(join(home, 'elsewhere', 'database')).mode & 0o777).toBe(0o700)

    const again = await place.start(other)
    const known = await buyers.known(again.url)
    const owed = buyers.bought.filter(({ atMs }) => atMs <= beganMs)
    expect(owed.length).toBeGreaterThanOrEqual(5)
    expect(owed.filter(({ id }) => !known.has(id))).toEqual([])
    const books = await demand(again.url, 'GET', '/operator/v1/ledger/check', { token: operatorToken })
    expect(books.imbalance).toBe(0)
    // Whoever had a key has it still, and the agents are heard with theirs.
    expect(await demand(again.url, 'GET', '/v1/profile', { token: apiKey })).toMatchObject({
      balance: 10_000,
    })
    await agent.beat(again.url)
    const late = await buyers.buy(again.url, 0)
    expect(late?.id, 'a number that was never given out').toBeGreaterThan(1_000_000)
    expect(await again.terminate()).toEqual({ code: 0, signal: null })
  })

  test('where a database is already, it is put aside and only when asked for', async () => {
    const other = elsewhere('elsewhere')
    const refused = await type(other, 'restore')
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('With --force it is put aside')])
    expect(await must(other, 'restore', '--force')).toContain('What was there before is in ')
    const names = readdirSync(join(home, 'elsewhere'))
    const aside = names.find((name) => name.startsWith('before-restore-')) ?? ''
    expect(readdirSync(join(home, 'elsewhere', aside)).sort()).toEqual([
      'credentials.json',
      'database',
      'secret.key',
    ])
    expect(names.filter((name) => /restoring|copy/.test(name))).toEqual([])
  })

  test('a stopped service is backed up from its files, and what was made is listed and proved', async () => {
    const other = elsewhere('elsewhere')
    expect(filesIn(repository)).toHaveLength(1)
    await must(other, 'backup')
    const [first = '', second = ''] = filesIn(repository)
    const listed = await must(other, 'backup', 'list')
    expect(listed).toContain(first)
    expect(listed).toContain(second)
    expect(await must(other, 'backup', 'verify')).toBe(`${first}: in order\n${second}: in order\n`)
    const status = JSON.parse(readFileSync(join(home, 'elsewhere', 'backup-status.json'), 'utf8'))
    expect(status).toMatchObject({
      kind: 'embedded',
      ok: true,
      repository,
      bytes: statSync(join(repository, second)).size,
    })
  })
})

describe('what cannot be restored is refused, and nothing is left of the attempt', () => {
  const attempt = async (change: Env): Promise<string> => {
    const target = elsewhere(`attempt-${randomBytes(4).toString('hex')}`)
    const { code, err } = await type({ ...target, ...change }, 'restore')
    expect(code).toBe(1)
    expect(existsSync(join(target.DATA_DIR ?? '', 'database'))).toBe(false)
    const left = existsSync(target.DATA_DIR ?? '') ? readdirSync(target.DATA_DIR ?? '') : []
    expect(left.filter((name) => name !== 'lock')).toEqual([])
    return err
  }

  /** The newest file, changed. */
  const broken = (name: string, change: (bytes: Buffer) => Buffer): Env => {
    const folder = join(home, name)
    cpSync(repository, folder, { recursive: true })
    const newest = join(folder, filesIn(folder).at(-1) ?? '')
    writeFileSync(newest, change(readFileSync(newest)))
    return { BACKUP_REPOSITORY: folder }
  }

  test('with another passphrase', async () => {
    const other = join(home, 'other.key')
    writeFileSync(other, randomBytes(36).toString('base64'))
    expect(await attempt({ BACKUP_KEY_FILE: other })).toContain(
      'The passphrase of BACKUP_KEY_FILE is not the one',
    )
    expect(await attempt({ BACKUP_KEY_FILE: join(home, 'none.key') })).toContain(
      'none.key cannot be read (ENOENT)',
    )
  })

  test('damaged or cut off', async () => {
    const flip = (bytes: Buffer) => {
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 255
      return bytes
    }
    const damaged = broken('damaged', flip)
    expect(await attempt(damaged)).toContain('The backup is damaged')
    const verified = await type({ ...elsewhere('elsewhere'), ...damaged }, 'backup', 'verify')
    expect(verified.code).toBe(1)
    expect(verified.out).toMatch(/: in order\n.*: The backup is damaged/)
    expect(await attempt(broken('cut', (bytes) => bytes.subarray(0, -1000)))).toContain(
      'The backup is damaged',
    )
    expect(await attempt(broken('empty', () => Buffer.alloc(0)))).toContain('The backup is damaged')
  })

  test('from a repository that is away', async () => {
    expect(await attempt({ BACKUP_REPOSITORY: join(home, 'away') })).toContain(
      'is not there. Is the disk mounted?',
    )
    const backup = await type({ ...elsewhere('elsewhere'), BACKUP_REPOSITORY: undefined }, 'backup')
    expect([backup.code, backup.err]).toEqual([1, expect.stringContaining('BACKUP_REPOSITORY is not set')])
  })

  test('on a disk that is full', async () => {
    const disk = smallDisk(join(home, 'small'), '5m', (cleanUp) => cleanUps.push(cleanUp))
    if (!disk) return
    const { code, err } = await type({ ...env, DATA_DIR: join(disk, 'data') }, 'restore')
    expect([code, err]).toEqual([1, expect.stringContaining('There is no space left at ')])
    expect(readdirSync(join(disk, 'data')).filter((name) => name !== 'lock')).toEqual([])
  })
})

test('a backup that does not fit leaves those of before as they were, and is told', async () => {
  const disk = smallDisk(join(home, 'full'), '6m', (cleanUp) => cleanUps.push(cleanUp))
  if (!disk) return
  const other = { ...elsewhere('elsewhere'), BACKUP_REPOSITORY: join(disk, 'repository') }
  await must(other, 'backup')
  const [first = ''] = filesIn(join(disk, 'repository'))
  const bytes = readFileSync(join(disk, 'repository', first))
  const { code, err } = await type(other, 'backup')
  expect([code, err]).toEqual([1, expect.stringContaining('There is no space left at ')])
  expect(readdirSync(join(disk, 'repository'))).toEqual([first])
  expect(readFileSync(join(disk, 'repository', first)).equals(bytes)).toBe(true)
  const status = JSON.parse(readFileSync(join(home, 'elsewhere', 'backup-status.json'), 'utf8'))
  expect(status).toMatchObject({ ok: false, problem: expect.stringContaining('no space left') })
  expect(status.succeeded_at).toBeLessThanOrEqual(status.finished_at)
})
