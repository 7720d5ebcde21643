import {
  type CloudCall,
  type CloudReply,
  CloudStandIn,
  type CloudStandInOptions,
  type RefusalName,
} from './cloud-stand-in.ts'
import { actionOf, dropletOf, images, regionRow, regions, sizeRow, sizes } from './digitalocean-objects.ts'
import type { Operation } from './faults.ts'
import type { CloudMachine, Plan, Wish } from './machines.ts'

/** DigitalOcean as its reference describes it: https://docs.digitalocean.com/reference/api */

interface Body {
  readonly type?: unknown
  readonly name?: unknown
  readonly region?: unknown
  readonly size?: unknown
  readonly image?: unknown
  readonly user_data?: unknown
  readonly tags?: readonly string[]
}

const failed = (status: number, id: string, message: string): CloudReply => ({
  status,
  json: { id, message, request_id: '4d9d8375-3c56-4925-a3e7-eb137fed17e9' },
})
const unprocessable = (message: string) => failed(422, 'unprocessable_entity', message)
const notFound = () => failed(404, 'not_found', 'The resource you were accessing could not be found.')
const maxUserDataBytes = 64 * 1024
const tagPattern = /^[a-zA-Z0-9:_-]{1,255}$/
const hostnamePattern = /^[a-zA-Z0-9]([a-zA-Z0-9.-]{0,251}[a-zA-Z0-9])?$/

const acts: Readonly<Record<string, 'reboot' | 'powerOff' | 'powerOn'>> = {
  reboot: 'reboot',
  power_off: 'powerOff',
  power_on: 'powerOn',
}

const refusals: Readonly<Record<RefusalName, CloudReply>> = {
  unauthorized: failed(401, 'unauthorized', 'Unable to authenticate you'),
  forbidden: failed(403, 'forbidden', 'You do not have access for the attempted action.'),
  quota: unprocessable('creating this/these droplet(s) will exceed your droplet limit'),
  stock: unprocessable('Size is not available in this region.'),
  busy: unprocessable('Droplet already has a pending event.'),
  rate: failed(429, 'too_many_requests', 'API Rate limit exceeded.'),
  broken: failed(500, 'server_error', 'Unexpected server-side error'),
}

export class DigitalOceanStandIn extends CloudStandIn {
  /** So many lists do not know a droplet yet that was just made. */
  listsBehind = 0
  readonly #unlisted = new Map<number, number>()

  constructor(options: CloudStandInOptions) {
    super('/v2', 3_000_000, { requestsAnHour: 5000, ...options })
  }

  protected operationOf(method: string, path: string, body: string): Operation | undefined {
    const [, kind, id] = path.split('/')
    if (kind === 'sizes' || kind === 'regions') return 'offers'
    if (kind === 'actions') return 'action'
    if (kind !== 'droplets') return undefined
    if (method === 'DELETE') return 'destroy'
    if (method === 'POST') return id === undefined ? 'create' : acts[String((JSON.parse(body) as Body).type)]
    return id === undefined ? 'list' : 'show'
  }

  protected refuse(name: RefusalName, status?: number): CloudReply {
    return { ...refusals[name], ...(status !== undefined && { status }) }
  }

  protected answer({ operation, path, query, body }: CloudCall, plan: Plan): CloudReply {
    const id = Number(path.split('/')[2])
    switch (operation) {
      case 'create':
        return this.#create(JSON.parse(body) as Body, plan)
      case 'list':
        return this.#list(query)
      case 'action':
        return this.#showAction(id)
      case 'offers':
        return path === '/sizes'
          ? this.#paged('sizes', sizes(this.#isInStock), path, query)
          : this.#paged('regions', regions(), path, query)
      case undefined:
        return notFound()
      default:
        return this.#ofMachine(operation, id, plan)
    }
  }

  readonly #isInStock = (type: string, region: string) => this.faults.isInStock(type, region)

  #showAction(id: number): CloudReply {
    const action = this.park.action(id)
    const machine = this.machines().find((one) => one.id === action?.machineId)
    return action && machine ? { status: 200, json: { action: actionOf(action, machine) } } : notFound()
  }

  #ofMachine(
    operation: 'show' | 'reboot' | 'powerOff' | 'powerOn' | 'destroy',
    id: number,
    plan: Plan,
  ): CloudReply {
    const machine = this.park.present().find((one) => one.id === id)
    if (!machine || machine.state === 'deleting') return notFound()
    if (operation === 'show') {
      this.park.look(id)
      return { status: 200, json: { droplet: dropletOf(machine, this.#isInStock) } }
    }
    if (this.park.isBusy(machine)) return this.refuse('busy')
    if (operation === 'destroy') {
      // It says nothing of an action: the droplet is gone as soon as that was said.
      this.park.begin(machine, 'destroy', { ...plan, failure: null })
      this.park.vanish(id)
      return { status: 204 }
    }
    if (operation === 'powerOff' && machine.state === 'off') {
      return unprocessable('Droplet is already powered off.')
    }
    if (operation === 'powerOn' && machine.state === 'running') {
      return unprocessable('Droplet is already powered on.')
    }
    const action = actionOf(this.park.begin(machine, operation, plan), machine)
    return { status: 201, json: { action } }
  }

  #list(query: URLSearchParams): CloudReply {
    const name = query.get('name')
    const tag = query.get('tag_name')
    if (name !== null && tag !== null) return unprocessable('name and tag_name can not be combined')
    for (const { id } of this.park.present()) this.park.look(id)
    const found = this.park
      .present()
      .filter((machine) => this.#isListed(machine))
      .filter((machine) => machine.name.toLowerCase() === (name ?? machine.name).toLowerCase())
      .filter((machine) => tag === null || machine.tags.includes(tag))
    return this.#paged(
      'droplets',
      found.map((machine) => dropletOf(machine, this.#isInStock)),
      '/droplets',
      query,
    )
  }

  #isListed({ id }: CloudMachine): boolean {
    const left = this.#unlisted.get(id) ?? 0
    this.#unlisted.set(id, Math.max(0, left - 1))
    return left === 0
  }

  #paged(name: string, items: readonly unknown[], path: string, query: URLSearchParams): CloudReply {
    const page = Number(query.get('page') ?? 1)
    const perPage = Math.min(200, Number(query.get('per_page') ?? 20))
    const last = Math.ceil(items.length / perPage)
    const linkTo = (number: number) => `${this.url}${path}?page=${number}&per_page=${perPage}`
    const forward = page < last ? { next: linkTo(page + 1), last: linkTo(last) } : {}
    const backward = page > 1 ? { first: linkTo(1), prev: linkTo(page - 1) } : {}
    const links = last > 1 ? { pages: { ...forward, ...backward } } : {}
    const shown = items.slice((page - 1) * perPage, page * perPage)
    return { status: 200, json: { [name]: shown, links, meta: { total: items.length } } }
  }

  #create(body: Body, plan: Plan): CloudReply {
    const wish = this.#wishOf(body)
    if ('status' in wish) return wish
    const { machine, action } = this.park.create(wish, plan, false)
    this.#unlisted.set(machine.id, this.listsBehind)
    const href = `${this.url}/actions/${action.id}`
    const links = { actions: [{ id: action.id, rel: 'create', href }] }
    return { status: 202, json: { droplet: dropletOf(machine, this.#isInStock), links } }
  }

  #wishOf(body: Body): Wish | CloudReply {
    const { name, image, user_data: userData = '', tags = [] } = body
    const size = sizeRow(body.size)
    const region = regionRow(body.region)
    if (typeof name !== 'string' || !hostnamePattern.test(name)) {
      return unprocessable('Only valid hostname characters are allowed. (a-z, A-Z, 0-9, . and -)')
    }
    if (!size) return unprocessable('You specified an invalid size for Droplet creation.')
    if (!region) return unprocessable('You specified an invalid region for Droplet creation.')
    if (typeof image !== 'string' || !images.includes(image)) {
      return unprocessable('You specified an invalid image for Droplet creation.')
    }
    if (typeof userData !== 'string' || Buffer.byteLength(userData) > maxUserDataBytes) {
      return unprocessable('User data is too long (maximum is 64 KiB)')
    }
    if (!tags.every((tag) => tagPattern.test(tag))) return unprocessable('Tag name is invalid')
    if (!region.available) return unprocessable('Region is not available')
    const isMadeThere = size.regions.some((slug) => slug === region.slug)
    if (!isMadeThere || !this.faults.isInStock(size.slug, region.slug)) return this.refuse('stock')
    return { name, region: region.slug, type: size.slug, image, userData, labels: {}, tags }
  }
}

export const startDigitalOcean = (options: CloudStandInOptions): Promise<DigitalOceanStandIn> =>
  new DigitalOceanStandIn(options).start()
