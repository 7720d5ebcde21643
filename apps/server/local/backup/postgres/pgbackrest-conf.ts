import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { BackupConfig, Repository } from '../../../config-backup.ts'

/** The files that pgBackRest and PostgreSQL read, made of our settings. */

export const stanza = 'sallyport'

/** Under which name a backup keeps what was sealed for it. */
export const noteName = 'sallyport'

/** It holds the passphrase, so it is for PostgreSQL's user alone. */
export const confPath = ({ keyFile }: Pick<BackupConfig, 'keyFile'>): string =>
  join(dirname(keyFile), 'pgbackrest.conf')

/** How the cluster is reached on this machine. */
export interface Cluster {
  readonly dataDirectory: string
  readonly port: number
  readonly socketDirectory: string
  readonly user: string
}

/** One after another on one machine, whoever starts them. */
const lockPath = (dataDirectory: string): string =>
  `/tmp/pgbackrest-${createHash('sha256').update(dataDirectory).digest('hex').slice(0, 12)}`

const repositoryLines = (repository: Repository): string[] => {
  switch (repository.kind) {
    case 'folder':
      return [`repo1-path=${repository.path}`]
    case 's3':
      return [
        'repo1-type=s3',
        `repo1-path=${repository.path}`,
        `repo1-s3-bucket=${repository.bucket}`,
        `repo1-s3-endpoint=${repository.endpoint}`,
        `repo1-s3-region=${repository.region}`,
        `repo1-s3-uri-style=${repository.isByPath ? 'path' : 'host'}`,
        `repo1-s3-key=${repository.key}`,
        `repo1-s3-key-secret=${repository.secret}`,
      ]
    case 'sftp':
      return [
        'repo1-type=sftp',
        `repo1-path=${repository.path}`,
        `repo1-sftp-host=${repository.host}`,
        `repo1-sftp-host-port=${repository.port}`,
        `repo1-sftp-host-user=${repository.user}`,
        `repo1-sftp-private-key-file=${repository.privateKeyFile}`,
        'repo1-sftp-host-key-hash-type=sha256',
      ]
  }
}

export const pgbackrestConf = (
  { repository, keepDays, passphrase }: { repository: Repository; keepDays: number; passphrase: string },
  cluster: Cluster,
  note?: string,
): string => `# Written by sallyport backup configure, and again by each backup: change the settings of Sallyport instead.
[global]
${repositoryLines(repository).join('\n')}
repo1-cipher-type=aes-256-cbc
repo1-cipher-pass=${passphrase}
repo1-bundle=y
repo1-retention-full-type=time
repo1-retention-full=${keepDays}
compress-type=zst
compress-level=3
process-max=2
start-fast=y
archive-timeout=60
lock-path=${lockPath(cluster.dataDirectory)}
log-level-console=off
log-level-stderr=warn
log-level-file=off
${note ? `\n[global:backup]\nannotation=${noteName}=${note}\n` : ''}
[${stanza}]
pg1-path=${cluster.dataDirectory}
pg1-port=${cluster.port}
pg1-socket-path=${cluster.socketDirectory}
pg1-user=${cluster.user}
`

/** What PostgreSQL needs to hand its log on; the first of them takes a restart. */
export const postgresqlConf = (conf: string): string => `# For sallyport backup.
archive_mode = on
archive_command = 'pgbackrest --config=${conf} --stanza=${stanza} archive-push "%p"'
archive_timeout = 60
wal_level = replica
`
