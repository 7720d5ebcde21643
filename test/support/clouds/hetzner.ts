import {
  type CloudCall,
  type CloudReply,
  CloudStandIn,
  type CloudStandInOptions,
  type RefusalName,
} from './cloud-stand-in.ts'
import type { Operation } from './faults.ts'
import {
  hetznerAction,
  hetznerPricing,
  hetznerServer,
  hetznerTypeRow,
  hetznerTypes,
  images,
  isHetznerLocation,
} from './hetzner-objects.ts'
import type { CloudMachine, Plan, Wish } from './machines.ts'

/** Hetzner Cloud as its reference describes it: https://docs.hetzner.cloud/reference/cloud */

interface Body {
  readonly name?: unknown
  readonly server_type?: unknown
  readonly image?: unknown
  readonly location?: unknown
  readonly user_data?: unknown
  readonly labels?: Readonly<Record<string, string>>
}

const failed = (
  status: number,
  code: string,
  message: string,
  details: object | null = null,
): CloudReply => ({
  status,
  json: { error: { code, message, details } },
})
const invalid = (message: string, field: string) =>
  failed(422, 'invalid_input', message, { fields: [{ name: field, messages: [message] }] })
const notFound = (what: string) => failed(404, 'not_found', `${what} not found`)
const labelPattern = /^([a-zA-Z0-9]([\w.-]{0,61}[a-zA-Z0-9])?)?$/
const hostnamePattern = /^[a-zA-Z0-9]([a-zA-Z0-9.-]{0,251}[a-zA-Z0-9])?$/
const maxUserDataBytes = 32 * 1024

const acts: Readonly<Record<string, 'reboot' | 'powerOff' | 'powerOn'>> = {
  reboot: 'reboot',
  poweroff: 'powerOff',
  poweron: 'powerOn',
}

const refusals: Readonly<Record<RefusalName, CloudReply>> = {
  unauthorized: failed(401, 'unauthorized', 'unable to authenticate'),
  forbidden: failed(403, 'forbidden', 'insufficient permissions for this request'),
  quota: failed(403, 'resource_limit_exceeded', 'server limit exceeded', {
    limits: [{ name: 'server_limit' }],
  }),
  stock: failed(412, 'resource_unavailable', 'error during placement'),
  busy: failed(423, 'locked', 'cannot perform operation because resource is locked'),
  rate: failed(429, 'rate_limit_exceeded', 'limit of 3600 requests per hour reached'),
  broken: failed(500, 'server_error', 'internal server error'),
}

/** Every pair that a selector of equalities names. */
const isSelected = ({ labels }: CloudMachine, selector: string | null): boolean =>
  (selector ?? '')
    .split(',')
    .filter((part) => part !== '')
    .every((part) => {
      const [key = '', value] = part.split(/==?/)
      return value === undefined ? key in labels : labels[key] === value
    })

const paged = <T>(name: string, items: readonly T[], query: URLSearchParams): CloudReply => {
  const page = Number(query.get('page') ?? 1)
  const perPage = Math.min(50, Number(query.get('per_page') ?? 25))
  const last = Math.max(1, Math.ceil(items.length / perPage))
  const pagination = {
    page,
    per_page: perPage,
    previous_page: page > 1 ? page - 1 : null,
    next_page: page < last ? page + 1 : null,
    last_page: last,
    total_entries: items.length,
  }
  const json = { [name]: items.slice((page - 1) * perPage, page * perPage), meta: { pagination } }
  return { status: 200, json }
}

export class HetznerStandIn extends CloudStandIn {
  constructor(options: CloudStandInOptions) {
    super('/v1', 1000, options)
  }

  protected operationOf(method: string, path: string): Operation | undefined {
    const [, kind, id, , act] = path.split('/')
    if (kind === 'pricing' || kind === 'server_types') return 'offers'
    if (kind === 'actions') return 'action'
    if (kind !== 'servers') return undefined
    if (method === 'DELETE') return 'destroy'
    if (method === 'POST') return id === undefined ? 'create' : acts[act ?? '']
    return id === undefined ? 'list' : 'show'
  }

  protected refuse(name: RefusalName, status?: number): CloudReply {
    return { ...refusals[name], ...(status !== undefined && { status }) }
  }

  protected answer({ operation, path, query, body }: CloudCall, plan: Plan): CloudReply {
    const id = Number(path.split('/')[2])
    switch (operation) {
      case 'create':
        return this.#create(body, plan)
      case 'list':
        return this.#list(query)
      case 'action': {
        const action = this.park.action(id)
        return action ? { status: 200, json: { action: hetznerAction(action) } } : notFound('action')
      }
      case 'offers':
        if (path === '/pricing') return { status: 200, json: { pricing: hetznerPricing() } }
        return paged('server_types', hetznerTypes(this.#isInStock), query)
      case undefined:
        return notFound('endpoint')
      default:
        return this.#ofMachine(operation, id, plan)
    }
  }

  readonly #isInStock = (type: string, location: string) => this.faults.isInStock(type, location)

  #ofMachine(
    operation: 'show' | 'reboot' | 'powerOff' | 'powerOn' | 'destroy',
    id: number,
    plan: Plan,
  ): CloudReply {
    const machine = this.park.present().find((one) => one.id === id)
    if (!machine) return notFound('server')
    if (operation === 'show') {
      this.park.look(id)
      const isStill = this.park.present().includes(machine)
      return isStill ? { status: 200, json: { server: this.#serverOf(machine) } } : notFound('server')
    }
    if (this.park.isBusy(machine)) return this.refuse('busy')
    const action = hetznerAction(this.park.begin(machine, operation, plan))
    return { status: operation === 'destroy' ? 200 : 201, json: { action } }
  }

  #list(query: URLSearchParams): CloudReply {
    const name = query.get('name')
    for (const { id } of this.park.present()) this.park.look(id)
    const found = this.park
      .present()
      .filter((machine) => machine.name === (name ?? machine.name))
      .filter((machine) => isSelected(machine, query.get('label_selector')))
    return paged(
      'servers',
      found.map((machine) => this.#serverOf(machine)),
      query,
    )
  }

  #create(text: string, plan: Plan): CloudReply {
    const wish = this.#wishOf(JSON.parse(text) as Body)
    if ('status' in wish) return wish
    const { machine, action } = this.park.create(wish, plan, true)
    const json = {
      server: this.#serverOf(machine),
      action: hetznerAction(action),
      next_actions: [],
      root_password: 'YItygq1v3GYjjMomLaKc',
    }
    return { status: 201, json }
  }

  #wishOf(body: Body): Wish | CloudReply {
    const { name, server_type: type, image, location: region, user_data: userData = '', labels = {} } = body
    if (typeof name !== 'string' || !hostnamePattern.test(name)) return invalid('invalid name', 'name')
    const row = hetznerTypeRow(type)
    if (!row) return invalid('server type not found', 'server_type')
    if (typeof image !== 'string' || !images.includes(image)) return notFound('image')
    if (typeof region !== 'string' || !isHetznerLocation(region)) {
      return invalid(`location '${region}' not found`, 'location')
    }
    if (!row.places.includes(region)) {
      return invalid('unsupported location for server type', 'location')
    }
    if (typeof userData !== 'string' || Buffer.byteLength(userData) > maxUserDataBytes) {
      return invalid('user_data is too long', 'user_data')
    }
    if (!Object.values(labels).every((label) => labelPattern.test(label))) {
      return invalid('invalid labels', 'labels')
    }
    if (this.park.present().some((machine) => machine.name === name)) {
      return failed(409, 'uniqueness_error', 'server name is already used', { fields: [{ name: 'name' }] })
    }
    if (!this.faults.isInStock(row.name, region)) return this.refuse('stock')
    return { name, region, type: row.name, image, userData, labels, tags: [] }
  }

  #serverOf(machine: CloudMachine) {
    return hetznerServer(machine, this.park.isBusy(machine), this.#isInStock)
  }
}

export const startHetzner = (options: CloudStandInOptions): Promise<HetznerStandIn> =>
  new HetznerStandIn(options).start()
