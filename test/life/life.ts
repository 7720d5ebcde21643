import type { Access, DesiredState } from '@sallyport/contract/agent/agent'
import type { OperationName } from '@sallyport/contract/tables'
import type { Answer, CallOptions, TestService } from '../support/service.ts'
import type { LifeNode } from './node.ts'
import { bearer, Person } from './people.ts'
import { type Caller, type Input, Recorder, type Told } from './recorder.ts'

/** Nodes are offline after a minute and a half. */
const beatSeconds = 45

const subscriptionHeaders = [
  'content-type',
  'subscription-userinfo',
  'profile-title',
  'profile-update-interval',
  'profile-web-page-url',
  'support-url',
  'routing',
  'routing-enable',
  'content-disposition',
  'cache-control',
  'referrer-policy',
  'vary',
  'etag',
  'announce',
  'x-hwid-active',
  'x-hwid-limit',
  'x-hwid-max-devices-reached',
  'x-hwid-not-supported',
  'retry-after',
]

/** Told as what is compared: what Base64 says, and a name for an etag. */
const toldAs = ({ labels }: Recorder, name: string, value: string): string => {
  if (name === 'etag') return labels.secret('etag', value)
  return value.startsWith('base64:') ? `base64:{${Buffer.from(value.slice(7), 'base64')}}` : value
}

/** What happens in a life, each thing written down. */
export class Life extends Recorder {
  readonly nodes: LifeNode[] = []
  readonly operator: Caller
  #beatAt = 0

  constructor(service: TestService, places: readonly (readonly [url: string, name: string])[]) {
    super(service, places)
    this.operator = bearer('operator', service.operatorToken)
  }

  /** All nodes that are alive say so. */
  async beat(): Promise<void> {
    this.#beatAt = this.service.clock.now()
    for (const node of this.nodes) if (node.isAlive) await node.report()
  }

  override async send(who: Caller, name: OperationName, input: Input = {}): Promise<Told> {
    if (this.service.clock.now() - this.#beatAt >= beatSeconds) await this.beat()
    return super.send(who, name, input)
  }

  /** Time passes, and what was due is done. */
  async wait(seconds: number): Promise<void> {
    this.service.clock.advance(seconds)
    await this.beat()
    await this.service.running.runJobs()
    this.write({ wait: seconds })
  }

  /** What is due now is done. */
  jobs(): Promise<void> {
    return this.service.running.runJobs()
  }

  /** A new session where the old one may be over. */
  async renewSession(person: Person): Promise<void> {
    const { data } = await this.send(this.operator, 'createSession', { params: { id: person.id } })
    person.session = data.session_token
  }

  /** Somebody whom the operator made, without a word about it. */
  async newcomer(name: string, fields: Record<string, unknown> = {}): Promise<Person> {
    const made = await this.service.createUser(fields)
    const person = new Person(name)
    person.id = made.id
    person.apiKey = made.api_key
    person.session = made.session_token
    person.subscriptionKey = made.subscription_key
    person.referralCode = made.referral_code
    this.normalise(made, 'user')
    return person
  }

  /** A call of what is not in the tables. */
  async raw(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    this.service.clock.advance(1)
    const answer = await this.service.call(method, path, options)
    const promised = this.headersOf(answer.headers, ['retry-after', 'location', 'allow', 'content-type'])
    const { body } = options
    this.write({
      call: `${method} ${this.normalise(path)}`,
      ...(body !== undefined && { body: this.normalise(body) }),
      status: answer.status,
      promised,
      answer: this.normalise(answer.body),
    })
    return answer
  }

  /** A page for people, without its style. */
  async page(address: string): Promise<void> {
    const { pathname } = new URL(address)
    const { status, headers, body } = await this.service.call('GET', pathname, {
      headers: { 'accept-language': 'en' },
    })
    const text = String(body).replace(/<style>.*<\/style>/s, '<style>')
    const promised = this.headersOf(headers, ['content-type', 'content-language'])
    this.write({ call: `GET ${this.normalise(pathname)}`, status, promised, page: this.normalise(text) })
  }

  /** What an app gets from the subscription link. */
  async subscription(person: Person, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await this.service.call('GET', `/sub/${person.subscriptionKey}`, { headers })
    const isLinks = answer.status === 200
    const lines = isLinks ? Buffer.from(answer.body, 'base64').toString().split('\n') : answer.body
    const asked = Object.entries(headers).filter(([name]) => name !== 'if-none-match')
    this.write({
      call: 'GET /sub/:key',
      as: person.name,
      ...(asked.length > 0 && { headers: this.normalise(Object.fromEntries(asked)) }),
      status: answer.status,
      promised: this.#subscriptionHeaders(answer.headers),
      ...(isLinks ? { links: this.normalise(lines) } : { answer: lines }),
    })
    return answer
  }

  #subscriptionHeaders(headers: Headers): unknown {
    const told = subscriptionHeaders.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, toldAs(this, name, value)]]
    })
    return this.normalise(Object.fromEntries(told))
  }

  /** What a node is to carry. Its own numbers for it are named, and counted by nobody. */
  async state(node: LifeNode, { withInbounds = false } = {}): Promise<void> {
    this.#writeState(node, await node.poll(), withInbounds)
  }

  /** What a node is told that knows how it was the last time. */
  async changes(node: LifeNode): Promise<void> {
    this.#writeState(node, await node.poll(node.revision), false)
  }

  #writeState(node: LifeNode, state: DesiredState, withInbounds: boolean): void {
    const { kind, revision, inbounds, accesses, removed, own_targets, trials } = state
    node.revision = revision
    this.write({
      state: node.name,
      kind,
      ...(withInbounds && { inbounds: inbounds.map((inbound) => this.#inbound(inbound)) }),
      accesses: this.#sorted(accesses).map((access) => this.#access(access)),
      removed: removed.map((id) => this.labels.id('access', id)).sort(),
      own_targets: own_targets?.toSorted(),
      trials: trials.length,
    })
  }

  #inbound({ tag, ...rest }: { tag: string }): unknown {
    return { tag: this.labels.id('inbound', tag), ...(this.normalise(rest) as object) }
  }

  /** In an order that does not depend on how accesses are numbered. */
  #sorted(accesses: readonly Access[]): Access[] {
    const keyed = accesses.map((access) => {
      const { id: _id, ...rest } = access
      return {
        access,
        key: this.labels.frozen(() => JSON.stringify(this.#access({ ...rest, id: '' } as Access))),
      }
    })
    return keyed.sort((a, b) => Number(a.key > b.key) - Number(a.key < b.key)).map(({ access }) => access)
  }

  #access({ id, revision: _revision, ...access }: Access): unknown {
    const inbound = 'inbound' in access ? { inbound: this.labels.id('inbound', access.inbound) } : {}
    return { id: this.labels.id('access', id), ...(this.normalise(access) as object), ...inbound }
  }
}
