import type { TSchema } from 'typebox'
import {
  type ActionOutcome,
  type ActionRef,
  type CloudProvider,
  CloudRefusal,
  type Machine,
  type MachineOffer,
  type MachineWish,
} from '../../../ports/clouds.ts'
import type { WholeAnswer } from '../../whole-answer.ts'
import { CloudHttp, type CloudMethod, type CloudOptions, waitOf } from '../cloud-http.ts'
import { checkInstallation, checkWish, refPattern } from '../marks.ts'
import {
  ActionAnswer,
  attemptLabel,
  CreatedAnswer,
  ErrorAnswer,
  type HetznerServer,
  installationLabel,
  machineOf,
  orderLabel,
  PricingAnswer,
  ServerAnswer,
  ServersAnswer,
  ServerTypesAnswer,
} from './answers.ts'
import { offersOf } from './offers.ts'
import { kindOfAction, kindOfAnswer } from './refusals.ts'

const maxUserDataBytes = 32 * 1024
const itemsPerPage = 50
/** Questions come back one by one, and the moment that Hetzner names is when all of them are back. */
const longestWaitSeconds = 60

/** Machines of one Hetzner project, which is whose the token is. */
export class Hetzner implements CloudProvider {
  readonly #http: CloudHttp
  readonly #read

  constructor(options: CloudOptions) {
    const http = new CloudHttp('Hetzner', 'https://api.hetzner.cloud/v1', options)
    const reader = <T extends TSchema>(what: string, schema: T) => http.reader(what, schema)
    this.#http = http
    this.#read = {
      error: reader('error', ErrorAnswer),
      server: reader('server', ServerAnswer),
      servers: reader('list of servers', ServersAnswer),
      created: reader('created server', CreatedAnswer),
      action: reader('action', ActionAnswer),
      types: reader('list of server types', ServerTypesAnswer),
      pricing: reader('prices', PricingAnswer),
    }
  }

  async create(wish: MachineWish): Promise<{ machine: Machine; action: ActionRef }> {
    checkWish(wish, maxUserDataBytes)
    const { installation, order, attempt } = wish.marks
    const answer = await this.#http.ask('POST', '/servers', {
      name: wish.name,
      server_type: wish.type,
      image: wish.image,
      location: wish.region,
      user_data: wish.userData,
      start_after_create: true,
      // Addresses that are made with a server are deleted with it.
      public_net: { enable_ipv4: true, enable_ipv6: true },
      labels: {
        [installationLabel]: installation,
        [orderLabel]: String(order),
        [attemptLabel]: String(attempt),
      },
    })
    const refusal = this.#refusalOf(answer, 201)
    // Nothing was named that could be gone, only an image, a type or a place that is not there.
    if (refusal) throw refusal.kind === 'gone' ? new CloudRefusal('invalid', refusal.message) : refusal
    const { server, action } = this.#read.created(answer.json)
    if (server.name !== wish.name) throw this.#http.unreachable('answered with another server')
    return { machine: this.#machineOf(server), action: String(action.id) }
  }

  find(name: string, installation: string): Promise<Machine[]> {
    return this.#machines({ name }, installation)
  }

  async show(ref: string): Promise<Machine | undefined> {
    if (!refPattern.test(ref)) return undefined
    const answer = await this.#http.ask('GET', `/servers/${ref}`)
    const refusal = this.#refusalOf(answer, 200)
    if (refusal?.kind === 'gone') return undefined
    if (refusal) throw refusal
    const { server } = this.#read.server(answer.json)
    if (String(server.id) !== ref) throw this.#http.unreachable('answered with another server')
    return this.#machineOf(server)
  }

  list(installation: string): Promise<Machine[]> {
    return this.#machines({}, installation)
  }

  reboot(ref: string): Promise<ActionRef> {
    return this.#act('POST', ref, '/actions/reboot')
  }

  /** Not `shutdown`, which only asks the system inside, and there somebody else is root. */
  powerOff(ref: string): Promise<ActionRef> {
    return this.#act('POST', ref, '/actions/poweroff')
  }

  powerOn(ref: string): Promise<ActionRef> {
    return this.#act('POST', ref, '/actions/poweron')
  }

  async destroy(ref: string): Promise<ActionRef> {
    try {
      return await this.#act('DELETE', ref, '')
    } catch (error) {
      if (error instanceof CloudRefusal && error.kind === 'gone') return null
      throw error
    }
  }

  async outcomeOf(ref: string): Promise<ActionOutcome> {
    if (!refPattern.test(ref)) throw this.#http.refusal('gone', 'no such action')
    const answer = await this.#http.ask('GET', `/actions/${ref}`)
    const refusal = this.#refusalOf(answer, 200)
    if (refusal) throw refusal
    const { action } = this.#read.action(answer.json)
    if (String(action.id) !== ref) throw this.#http.unreachable('answered with another action')
    if (action.status === 'running') return { state: 'running' }
    if (action.status === 'success') return { state: 'done' }
    const { code, message } = action.error ?? { code: 'action_failed', message: 'it does not say why' }
    const why = this.#http.refusal(kindOfAction(code, message), `the action failed: ${code}, ${message}`)
    return { state: 'failed', refusal: why }
  }

  async offers(): Promise<MachineOffer[]> {
    const prices = await this.#http.ask('GET', '/pricing')
    const refusal = this.#refusalOf(prices, 200)
    if (refusal) throw refusal
    const types = await this.#pages('/server_types', {}, (json) => {
      const { server_types: items, meta } = this.#read.types(json)
      return { items, next: meta.pagination.next_page }
    })
    const now = Math.floor(Date.now() / 1000)
    return offersOf(types, this.#read.pricing(prices.json).pricing, now)
  }

  async #machines(query: Record<string, string>, installation: string): Promise<Machine[]> {
    checkInstallation(installation)
    const selected = { ...query, label_selector: `${installationLabel}=${installation}`, sort: 'id:asc' }
    const servers = await this.#pages('/servers', selected, (json) => {
      const { servers: items, meta } = this.#read.servers(json)
      return { items, next: meta.pagination.next_page }
    })
    // Machines that come and go meanwhile move others from page to page, so one may be met twice.
    const machines = new Map(servers.map((server) => [server.id, this.#machineOf(server)]))
    return [...machines.values()].filter(
      ({ name, marks }) => marks?.installation === installation && name === (query.name ?? name),
    )
  }

  #pages<T>(
    path: string,
    query: Record<string, string>,
    read: (json: unknown) => { readonly items: readonly T[]; readonly next: number | null },
  ): Promise<T[]> {
    return this.#http.allPages(async (page) => {
      const asked = new URLSearchParams({ ...query, page: String(page), per_page: String(itemsPerPage) })
      const answer = await this.#http.ask('GET', `${path}?${asked}`)
      const refusal = this.#refusalOf(answer, 200)
      if (refusal) throw refusal
      const { items, next } = read(answer.json)
      if (next !== null && next !== page + 1) throw this.#http.unreachable('skipped a page')
      return { items, isLast: next === null }
    })
  }

  async #act(method: CloudMethod, ref: string, path: string): Promise<ActionRef> {
    if (!refPattern.test(ref)) throw this.#http.refusal('gone', 'no such server')
    const answer = await this.#http.ask(method, `/servers/${ref}${path}`)
    const refusal = this.#refusalOf(answer, method === 'POST' ? 201 : 200)
    if (refusal) throw refusal
    return String(this.#read.action(answer.json).action.id)
  }

  #machineOf(server: HetznerServer): Machine {
    const machine = machineOf(server)
    if (machine) return machine
    throw this.#http.unreachable('answered with a server that cannot be')
  }

  /** Undefined when it did as it was asked; throws when that cannot be known. */
  #refusalOf({ status, headers, json }: WholeAnswer, expected: number): CloudRefusal | undefined {
    if (status === expected) return undefined
    if (status === 429) {
      const wait = waitOf(headers)
      return this.#http.refusal(
        'rate',
        'too many requests',
        wait === undefined ? wait : Math.min(wait, longestWaitSeconds),
      )
    }
    if (status < 400) throw this.#http.unreachable(`answered ${status}`)
    // A page from something between us and Hetzner is not Hetzner's word.
    const { code, message } = this.#read.error(json).error
    const kind = kindOfAnswer(status, code, message)
    if (kind === undefined) throw this.#http.unreachable(`answered ${status}: ${code}, ${message}`)
    return this.#http.refusal(kind, `refused with ${status}: ${code}, ${message}`)
  }
}
