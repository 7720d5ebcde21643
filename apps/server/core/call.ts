import type {
  AuditRule,
  BodyOf,
  DataOf,
  Operation,
  OperationTable,
  ParamsOf,
  QueryOf,
  Role,
  SuccessStatus,
} from '@sallyport/contract/operation'
import type { Language } from '@sallyport/domain/text/language'
import type { Db } from '../db/client.ts'
import type { AgentKit } from '../ports/agent-kit.ts'
import type { Clock } from '../ports/clock.ts'
import type { OpenCloud } from '../ports/clouds.ts'
import type { IdentityProvider } from '../ports/identity.ts'
import type { Log } from '../ports/log.ts'
import type { Mailer } from '../ports/mail.ts'
import type { PaymentProvider } from '../ports/payments.ts'
import type { PostWebhook } from '../ports/webhooks.ts'
import type { XrayReader } from '../ports/xray.ts'
import type { SeenDevices } from './accounts/devices/seen-devices.ts'
import type { SessionTokens } from './accounts/session-tokens.ts'
import type { SubscriptionFetches } from './delivery/subscription-fetches.ts'
import type { RefusedCounters } from './fleet/traffic-plausibility.ts'
import type { Change } from './kernel/audit.ts'
import type { Bus } from './kernel/bus.ts'
import type { Kick } from './kernel/jobs.ts'
import type { Vault } from './kernel/vault.ts'
import type { ConsoleSession } from './operators/sessions.ts'
import type { AwaitingLink } from './sales/awaiting-link.ts'
import type { Products } from './sales/products.ts'
import type { CacheCounts } from './seeing/cache-counts.ts'

/** What the whole service shares and every handler may use. */
export interface Services {
  readonly db: Db
  /** For what may be some seconds old: a standby's, where one keeps up. Rows that say `mayBeOld` are given it as their db. */
  readonly olderDb: () => Db
  readonly clock: Clock
  readonly vault: Vault
  readonly bus: Bus
  readonly sessions: SessionTokens
  readonly log: Log
  /** The configured ones, by name. */
  readonly providers: ReadonlyMap<string, PaymentProvider>
  readonly products: Products
  readonly openCloud: OpenCloud
  readonly mailer: Mailer
  /** The configured ones, by name. */
  readonly identityProviders: ReadonlyMap<string, IdentityProvider>
  /** The bot that vouches for people from Telegram. */
  readonly telegram: { readonly botToken: string; readonly botName: string | undefined } | undefined
  readonly xray: XrayReader
  readonly postWebhook: PostWebhook
  /** Whether events may be sent to this very machine, unencrypted, to try it out. */
  readonly webhooksToLoopback: boolean
  readonly refusedCounters: RefusedCounters
  readonly caches: CacheCounts
  /** By apps, since they were last written. */
  readonly fetches: SubscriptionFetches
  readonly seenDevices: SeenDevices
  /** Where customers reach the service, without a trailing slash. */
  readonly publicUrl: () => string
  /** What machines become nodes with. */
  readonly agentKit: AgentKit
  readonly kick: Kick
  /** Aborted when the service begins to shut down. */
  readonly stopping: AbortSignal
}

type ActorOf<O extends Operation> = O['auth'] extends 'session'
  ? { readonly userId: number; readonly sessionId: string }
  : O['auth'] extends 'customer'
    ? { readonly userId: number }
    : O['auth'] extends 'visitor'
      ? { readonly userId: number | undefined; readonly sessionId: string | undefined }
      : O['auth'] extends 'operator'
        ? {
            readonly operatorId: number
            readonly operatorRole: Role
            /** The only ones that the token may call; null is all that the role may. */
            readonly operatorOperations: readonly string[] | null
            /** Of a person who is signed in; undefined for a token. */
            readonly operatorSession: ConsoleSession | undefined
          }
        : O['auth'] extends 'agent'
          ? {
              readonly nodeId: number
              /** The public key that the call was signed for. */
              readonly nodeKey: string
            }
          : unknown

/** One request, as a handler sees it: checked, with its caller known. */
export type Call<O extends Operation> = Services &
  ActorOf<O> & {
    readonly params: ParamsOf<O>
    readonly query: QueryOf<O>
    readonly body: BodyOf<O>
    readonly language: Language
    /** The time of the request, Unix seconds. */
    readonly now: number
    readonly ip: string
    readonly cookie: (name: string) => string | undefined
    readonly header: (name: string) => string | undefined
    /** Aborted when the caller goes away; made only for handlers that wait. */
    readonly abortSignal: () => AbortSignal
    /** Out of the line of requests while nothing is done but waiting; refused when there is no room to come back. */
    readonly aside: <T>(wait: () => Promise<T>) => Promise<T>
  }

export interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
  readonly maxAgeSeconds: number
  readonly isSecure: boolean
  /** Lax when not said: it comes along when somebody follows a link from another site. */
  readonly sameSite?: 'Strict'
}

/** An answer that leaves a cookie with the browser. */
export class Reply<T> {
  readonly data: T
  readonly cookie: Cookie

  constructor(data: T, cookie: Cookie) {
    this.data = data
    this.cookie = cookie
  }
}

/** An answer with another status than the row's usual one. */
export class WithStatus<T> {
  readonly status: SuccessStatus
  readonly data: T

  constructor(status: SuccessStatus, data: T) {
    this.status = status
    this.data = data
  }
}

/** Sends the browser elsewhere. */
export class Redirect {
  readonly url: string
  readonly cookie: Cookie | undefined

  constructor(url: string, cookie?: Cookie) {
    this.url = url
    this.cookie = cookie
  }
}

/** What a row does not declare cannot be given. */
type Given<O extends Operation> =
  | DataOf<O>
  | Reply<DataOf<O>>
  | WithStatus<DataOf<O>>
  | Redirect
  | (O extends { readonly obtainsLink: true } ? AwaitingLink : never)

type ChangeOf<O extends Operation> = Change<DataOf<O> | Reply<DataOf<O>> | WithStatus<DataOf<O>>>

/** What an audited row does to the database is a function of the transaction; before it, only checks. */
export type Handler<O extends Operation> = O extends { readonly audit: AuditRule }
  ? (call: Call<O>) => ChangeOf<O> | Promise<ChangeOf<O>>
  : (call: Call<O>) => Promise<Given<O>>

/** One handler for every row: a missing one does not compile. */
export type Handlers<T extends OperationTable> = { readonly [K in keyof T]: Handler<T[K]> }
