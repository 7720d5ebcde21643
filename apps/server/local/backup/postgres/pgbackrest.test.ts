import { expect, test } from 'vitest'
import { settingIn } from '../secrets.ts'
import { explainRest, type KnownBackup } from './pgbackrest.ts'
import { pgbackrestConf, postgresqlConf } from './pgbackrest-conf.ts'
import { nextKind } from './postgres-backup.ts'

const cluster = { dataDirectory: '/data', port: 5433, socketDirectory: '/run/pg', user: 'postgres' }
const folder = { kind: 'folder', path: '/backups' } as const

test('its settings are ours, sealed and bounded', () => {
  const conf = pgbackrestConf(
    { repository: folder, keepDays: 9, passphrase: 'correct-horse' },
    cluster,
    'sealed',
  )
  const lines = ['repo1-path=/backups', 'repo1-cipher-type=aes-256-cbc', 'repo1-cipher-pass=correct-horse']
  const kept = ['repo1-retention-full-type=time', 'repo1-retention-full=9', 'annotation=sallyport=sealed']
  for (const line of [...lines, ...kept, 'pg1-path=/data', 'pg1-port=5433', 'pg1-socket-path=/run/pg']) {
    expect(conf.split('\n')).toContain(line)
  }
  const s3 = {
    kind: 's3',
    bucket: 'b',
    path: '/p',
    endpoint: 'e',
    region: 'r',
    isByPath: true,
    key: 'k',
    secret: 's',
  } as const
  const remote = pgbackrestConf({ repository: s3, keepDays: 9, passphrase: 'correct-horse' }, cluster)
  for (const line of [
    'repo1-type=s3',
    'repo1-s3-bucket=b',
    'repo1-s3-uri-style=path',
    'repo1-s3-key-secret=s',
  ]) {
    expect(remote.split('\n')).toContain(line)
  }
  expect(remote).not.toContain('annotation')
  expect(postgresqlConf('/etc/sallyport/pgbackrest.conf')).toContain('archive_timeout = 60')
})

const day = 86_400
const made = (type: KnownBackup['type'], stop: number): KnownBackup => ({
  label: `${type}-${stop}`,
  type,
  timestamp: { start: stop - 1, stop },
  info: { size: 1, repository: {} },
})

test('a full backup a week, a differential one a day, incremental ones between, and a full one after a restore', () => {
  const now = 100 * day
  const kindAfter = (...backups: KnownBackup[]) => nextKind(backups, true, now)
  expect(kindAfter()).toBe('full')
  expect(kindAfter(made('full', now - 7 * day))).toBe('full')
  expect(kindAfter(made('full', now - 6 * day))).toBe('diff')
  expect(kindAfter(made('full', now - 6 * day), made('diff', now - day))).toBe('diff')
  expect(kindAfter(made('full', now - 6 * day), made('diff', now - 3600))).toBe('incr')
  expect(kindAfter({ ...made('full', now - day), error: true })).toBe('full')
  expect(nextKind([made('full', now - 60)], false, now)).toBe('full')
})

test.each([
  ['ERROR: [082]: WAL segment 1 was not archived before the 60000ms timeout', 'did not hand its log on'],
  ['ERROR: [041]: unable to write: [28] No space left on device', 'no space left at /backups'],
  ['ERROR: [050]: unable to acquire lock on file', 'Another backup or restore is at work'],
  ['ERROR: [056]: unable to find primary cluster - cannot proceed', 'Is it running?'],
  ['ERROR: [999]: something new \u0007', 'pgBackRest says: [999]: something new'],
])('%s', (errors, meaning) => {
  const { message } = explainRest({ repository: folder }, { code: 1, output: '', errors })
  expect(message).toContain(meaning)
  expect(message).toMatch(/^[\x20-\x7e’]*$/)
})

test('a setting of a file of settings', () => {
  const text = '# A=0\nexport A="1"\nB=2\nA=3\n'
  expect([settingIn(text, 'A'), settingIn(text, 'B'), settingIn(text, 'C')]).toEqual(['3', '2', undefined])
  expect(settingIn("D='a=b'", 'D')).toBe('a=b')
})
