import { expect, test } from 'vitest'
import { readPlace } from './config.ts'
import { nameOfRepository, type Repository, readBackup } from './config-backup.ts'

const repositoryOf = (address: string, env: object = {}): Repository | undefined =>
  readBackup({ BACKUP_REPOSITORY: address, ...env }).repository

const s3 = { BACKUP_S3_KEY: 'key', BACKUP_S3_SECRET: 'hunter2' }

test('nothing is set at first, and the passphrase is where an installed machine has it', () => {
  expect(readBackup({})).toEqual({
    repository: undefined,
    keyFile: '/etc/sallyport/backup.key',
    keepDays: 28,
    postgresDir: undefined,
    postgresUser: 'postgres',
  })
})

test('a folder, a bucket and another machine', () => {
  expect(repositoryOf('/var/backups/sallyport')).toEqual({ kind: 'folder', path: '/var/backups/sallyport' })
  const address = 's3://bucket/vpn?endpoint=s3.example.com&region=eu-1&style=path'
  const bucket = repositoryOf(address, s3)
  expect(bucket).toEqual({
    kind: 's3',
    bucket: 'bucket',
    path: '/vpn',
    endpoint: 's3.example.com',
    region: 'eu-1',
    isByPath: true,
    key: 'key',
    secret: 'hunter2',
  })
  expect(nameOfRepository(bucket as Repository)).toBe('s3://bucket/vpn')
  expect(repositoryOf('sftp://anna@host/backups', { BACKUP_SFTP_KEY_FILE: '/root/.ssh/id' })).toMatchObject({
    kind: 'sftp',
    host: 'host',
    port: 22,
    user: 'anna',
  })
})

test.each([
  ['backups', {}, 'BACKUP_REPOSITORY'],
  ['/var/my backups', {}, 'BACKUP_REPOSITORY'],
  ['https://anna:hunter2@example.com/', {}, 'BACKUP_REPOSITORY'],
  ['sftp://anna:hunter2@example.com/backups', { BACKUP_SFTP_KEY_FILE: '/k' }, 'BACKUP_REPOSITORY'],
  ['sftp://anna@example.com/backups', {}, 'BACKUP_SFTP_KEY_FILE'],
  ['s3://bucket/vpn', s3, 'endpoint and the region'],
  ['s3://bucket/vpn?endpoint=e&region=r', { BACKUP_S3_KEY: 'key' }, 'BACKUP_S3_SECRET'],
  ['s3://bucket/vpn?endpoint=e%0Arepo1-cipher-type%3Dnone&region=r', s3, 'endpoint and the region'],
])('%s is refused with a sentence, and no password is repeated', (address, env, name) => {
  expect(() => repositoryOf(address, env)).toThrow(name)
  expect(() => repositoryOf(address, env)).not.toThrow('hunter2')
})

test.each([
  ['BACKUP_KEEP_DAYS', '0'],
  ['BACKUP_KEEP_DAYS', 'long'],
  ['BACKUP_POSTGRES_USER', 'a b'],
])('a bad %s is refused', (name, value) => {
  expect(() => readBackup({ [name]: value })).toThrow(name)
})

test('a machine that is to be restored has no secret key yet', () => {
  expect(readPlace({ DATABASE_URL: 'postgres://u:p@h/d' }).secretKey).toBeUndefined()
})
