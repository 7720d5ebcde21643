/** Who has machines for hire. Everything is asked by name or reference, so that repeating a question is harmless. */

/** Written on the machine at the provider: whose it is and what it was made for. */
export interface MachineMarks {
  /** This installation; several may share one account at a provider. */
  readonly installation: string
  /** The order that paid for it. */
  readonly order: number
  /** Counted for each time that a machine was asked for; the machine's own one-time token belongs to it. */
  readonly attempt: number
}

export interface MachineWish {
  /** The same for every attempt of an order: where names are unique, a second machine cannot be made. */
  readonly name: string
  readonly marks: MachineMarks
  readonly region: string
  readonly type: string
  readonly image: string
  /** Run by cloud-init at the first boot. */
  readonly userData: string
}

export type MachineState = 'starting' | 'running' | 'off' | 'going' | 'unknown'

export interface Machine {
  /** The provider's own name for it, for ever. */
  readonly ref: string
  readonly name: string
  /** Null of a machine that was not made by any installation of this service. */
  readonly marks: MachineMarks | null
  readonly state: MachineState
  /** Public IPv4; null while it has none. */
  readonly address: string | null
  /** Unix seconds. */
  readonly createdAt: number
}

/** Something that the provider is doing; null where it was done at once. */
export type ActionRef = string | null

export type ActionOutcome =
  | { readonly state: 'running' }
  | { readonly state: 'done' }
  | { readonly state: 'failed'; readonly refusal: CloudRefusal }

/** What can be had, and what it costs the operator. */
export interface MachineOffer {
  readonly region: string
  readonly type: string
  readonly title: string
  readonly cores: number
  readonly memoryMb: number
  readonly diskGb: number
  /** In hundredths of the currency, a month. */
  readonly monthlyCost: number
  readonly currency: string
  readonly isInStock: boolean
}

export interface CloudProvider {
  /** Asked once an attempt. A timeout leaves the outcome unknown: look with `find` before asking again. */
  create(wish: MachineWish): Promise<{ readonly machine: Machine; readonly action: ActionRef }>
  /** All of that name that this installation made: none, one, or more where the provider has no unique names. */
  find(name: string, installation: string): Promise<Machine[]>
  /** Undefined when the provider knows of none. */
  show(ref: string): Promise<Machine | undefined>
  /** Every machine that this installation made. */
  list(installation: string): Promise<Machine[]>
  reboot(ref: string): Promise<ActionRef>
  powerOff(ref: string): Promise<ActionRef>
  powerOn(ref: string): Promise<ActionRef>
  /** With its disk and addresses. One that is gone already is no error. */
  destroy(ref: string): Promise<ActionRef>
  outcomeOf(action: string): Promise<ActionOutcome>
  offers(): Promise<MachineOffer[]>
}

/** Which provider, and what it asks for to be let in. */
export type CloudAccount =
  | { readonly kind: 'hetzner' | 'digitalocean'; readonly token: string }
  /** The operator's own node; everything is there already. */
  | { readonly kind: 'local'; readonly address: string }
  /** A person does it; machines are known by the address that was told. */
  | { readonly kind: 'manual' }

export type OpenCloud = (account: CloudAccount) => CloudProvider

/** No whole answer came, so whatever was asked for may have happened. */
export class CloudUnreachable extends Error {
  override readonly name = 'CloudUnreachable'
}

/**
 * Why a provider says no. `stock`: not there now; `quota`: the account may have no more; `account`: the token does not
 * work, or may not do this; `rate`: too many questions; `busy`: the machine is being worked on; `taken`: the name is;
 * `gone`: no such machine or action; `invalid`: nothing that waiting helps with.
 */
export type RefusalKind = 'stock' | 'quota' | 'account' | 'rate' | 'busy' | 'taken' | 'gone' | 'invalid'

export class CloudRefusal extends Error {
  override readonly name = 'CloudRefusal'
  readonly kind: RefusalKind
  /** When to ask again, where the provider says. */
  readonly retryAfterSeconds: number | undefined

  constructor(kind: RefusalKind, message: string, retryAfterSeconds?: number) {
    super(message)
    this.kind = kind
    this.retryAfterSeconds = retryAfterSeconds
  }
}
