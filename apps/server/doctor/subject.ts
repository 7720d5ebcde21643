import type { Config } from '../config.ts'
import type { Vault } from '../core/kernel/vault.ts'
import type { Db } from '../db/client.ts'
import type { BackupStatus } from '../ports/backups.ts'
import type { OpenCloud } from '../ports/clouds.ts'
import type { RedisFacts } from '../ports/limiter.ts'
import type { MailServerFacts } from '../ports/mail.ts'
import type { PaymentProvider } from '../ports/payments.ts'
import type { Finding } from './finding.ts'
import type { Ask, Names } from './net.ts'

/** Everything that checks look at: this machine, the database, what is reached over the net. */

/** The database could not be asked; why is said by the check that is about it. */
export class DatabaseAway extends Error {}

export interface FileSystem {
  readonly bytes: number
  readonly freeBytes: number
  /** 0 where the file system counts none. */
  readonly inodes: number
  readonly freeInodes: number
}

export interface Machine {
  fileSystem(path: string): Promise<FileSystem>
  /** Undefined where the file is not there or may not be read. */
  readFile(path: string): string | undefined
  /** Permission bits of a file. */
  modeOf(path: string): number | undefined
  /** What a program printed; undefined where it is not there or failed. */
  run(program: string, args: readonly string[]): Promise<string | undefined>
  /** Addresses of this machine's own. */
  readonly ownAddresses: readonly string[]
  /** The process that listens on the port, where we may see it. */
  listener(port: number): number | undefined
  readonly nodeVersion: string
}

export interface EngineHere {
  readonly title: string
  /** Why it is not to be had. */
  readonly reason: string | undefined
}

export interface Subject {
  readonly config: Config
  /** Unix milliseconds, as this machine has them. */
  nowMs(): number
  /** Reads in a transaction that cannot write; throws DatabaseAway. */
  read<T>(work: (tx: Db) => Promise<T>): Promise<T>
  readonly vault: Vault | undefined
  readonly version: string
  readonly machine: Machine
  readonly names: Names
  readonly ask: Ask
  readonly providers: ReadonlyMap<string, PaymentProvider>
  readonly openCloud: OpenCloud
  /** Undefined where no server is set. */
  readonly mailServer: (() => Promise<MailServerFacts>) | undefined
  readonly redis: (() => Promise<RedisFacts>) | undefined
  /** How far the ledger is out of balance. */
  imbalance(tx: Db): Promise<number>
  /** Undefined where none was made yet. */
  lastBackup(): BackupStatus | undefined
  enginesHere(): Promise<readonly EngineHere[]>
  /** Why there is no web app to serve. */
  cabinetProblem(): string | undefined
  /** Where it listens, as this machine reaches it. */
  readonly listenUrl: string
  /** How long an answer is waited for, to see whether proxies do. */
  readonly longWaitSeconds: number
  /** Between two looks at the same thing. */
  pause(ms: number): Promise<void>
}

export interface Check {
  readonly name: string
  /** What it looks at, for the list. */
  readonly about: string
  run(subject: Subject): Promise<readonly Finding[]> | readonly Finding[]
}

export const nowOf = (subject: Subject): number => Math.floor(subject.nowMs() / 1000)

export const isProduction = ({ config }: Subject): boolean => config.databaseUrl !== undefined
