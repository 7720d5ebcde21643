import type { TSchema } from 'typebox'
import {
  type ActionOutcome,
  type ActionRef,
  type CloudProvider,
  CloudRefusal,
  type Machine,
  type MachineOffer,
  type MachineState,
  type MachineWish,
} from '../../../ports/clouds.ts'
import type { WholeAnswer } from '../../whole-answer.ts'
import { CloudHttp, type CloudOptions, waitOf } from '../cloud-http.ts'
import { checkInstallation, checkWish, refPattern } from '../marks.ts'
import {
  ActionAnswer,
  CreatedAnswer,
  type Droplet,
  DropletAnswer,
  DropletsAnswer,
  ErrorAnswer,
  machineOf,
  RegionsAnswer,
  SizesAnswer,
  tagOf,
  tagsOf,
} from './answers.ts'
import { offersOf } from './offers.ts'
import { kindOfAnswer } from './refusals.ts'

const maxUserDataBytes = 64 * 1024
const itemsPerPage = 100

interface Page<T> {
  readonly items: readonly T[]
  readonly links?: { readonly pages?: { readonly next?: string } } | undefined
}

/** Droplets of the team that the token belongs to. Names are not unique here. */
export class DigitalOcean implements CloudProvider {
  readonly #http: CloudHttp
  readonly #read

  constructor(options: CloudOptions) {
    const http = new CloudHttp('DigitalOcean', 'https://api.digitalocean.com/v2', options)
    const reader = <T extends TSchema>(what: string, schema: T) => http.reader(what, schema)
    this.#http = http
    this.#read = {
      error: reader('error', ErrorAnswer),
      droplet: reader('droplet', DropletAnswer),
      droplets: reader('list of droplets', DropletsAnswer),
      created: reader('created droplet', CreatedAnswer),
      action: reader('action', ActionAnswer),
      sizes: reader('list of sizes', SizesAnswer),
      regions: reader('list of regions', RegionsAnswer),
    }
  }

  async create(wish: MachineWish): Promise<{ machine: Machine; action: ActionRef }> {
    checkWish(wish, maxUserDataBytes)
    const answer = await this.#http.ask('POST', '/droplets', {
      name: wish.name,
      region: wish.region,
      size: wish.type,
      image: wish.image,
      ipv6: true,
      user_data: wish.userData,
      tags: tagsOf(wish.marks),
    })
    const refusal = this.#refusalOf(answer, 202)
    // Nothing was named that could be gone, only an image, a size or a region that is not there.
    if (refusal) throw refusal.kind === 'gone' ? new CloudRefusal('invalid', refusal.message) : refusal
    const { droplet, links } = this.#read.created(answer.json)
    if (droplet.name !== wish.name) throw this.#http.unreachable('answered with another droplet')
    const action = links?.actions?.find(({ rel }) => rel === 'create')
    // Tags are put on after a droplet is made, so this answer may come without them.
    const machine = { ...this.#machineOf(droplet), marks: wish.marks }
    return { machine, action: action ? String(action.id) : null }
  }

  /** Droplets are asked for by name or by tag, and not by both. */
  find(name: string, installation: string): Promise<Machine[]> {
    return this.#machines({ name }, installation)
  }

  async show(ref: string): Promise<Machine | undefined> {
    if (!refPattern.test(ref)) return undefined
    const answer = await this.#http.ask('GET', `/droplets/${ref}`)
    const refusal = this.#refusalOf(answer, 200)
    if (refusal?.kind === 'gone') return undefined
    if (refusal) throw refusal
    const { droplet } = this.#read.droplet(answer.json)
    if (String(droplet.id) !== ref) throw this.#http.unreachable('answered with another droplet')
    return this.#machineOf(droplet)
  }

  async list(installation: string): Promise<Machine[]> {
    try {
      return await this.#machines({ tag_name: tagOf(installation) }, installation)
    } catch (error) {
      // A tag is made with the first droplet that has it.
      if (error instanceof CloudRefusal && error.kind === 'gone') return []
      throw error
    }
  }

  reboot(ref: string): Promise<ActionRef> {
    return this.#act(ref, 'reboot')
  }

  /** Not `shutdown`, which only asks the system inside, and there somebody else is root. */
  powerOff(ref: string): Promise<ActionRef> {
    return this.#bring(ref, 'power_off', 'off')
  }

  powerOn(ref: string): Promise<ActionRef> {
    return this.#bring(ref, 'power_on', 'running')
  }

  async destroy(ref: string): Promise<ActionRef> {
    if (!refPattern.test(ref)) return null
    const refusal = this.#refusalOf(await this.#http.ask('DELETE', `/droplets/${ref}`), 204)
    if (refusal && refusal.kind !== 'gone') throw refusal
    return null
  }

  async outcomeOf(ref: string): Promise<ActionOutcome> {
    if (!refPattern.test(ref)) throw this.#http.refusal('gone', 'no such action')
    const answer = await this.#http.ask('GET', `/actions/${ref}`)
    const refusal = this.#refusalOf(answer, 200)
    if (refusal) throw refusal
    const { action } = this.#read.action(answer.json)
    if (String(action.id) !== ref) throw this.#http.unreachable('answered with another action')
    if (action.status === 'in-progress') return { state: 'running' }
    if (action.status === 'completed') return { state: 'done' }
    // It never says why, so it is tried again.
    return { state: 'failed', refusal: this.#http.refusal('busy', `the action ${action.type} failed`) }
  }

  async offers(): Promise<MachineOffer[]> {
    const sizes = await this.#pages('/sizes', {}, (json) => {
      const { sizes: items, links } = this.#read.sizes(json)
      return { items, links }
    })
    const regions = await this.#pages('/regions', {}, (json) => {
      const { regions: items, links } = this.#read.regions(json)
      return { items, links }
    })
    return offersOf(sizes, regions)
  }

  async #machines(query: Record<string, string>, installation: string): Promise<Machine[]> {
    checkInstallation(installation)
    const droplets = await this.#pages('/droplets', query, (json) => {
      const { droplets: items, links } = this.#read.droplets(json)
      return { items, links }
    })
    // Machines that come and go meanwhile move others from page to page, so one may be met twice.
    const machines = new Map(droplets.map((droplet) => [droplet.id, this.#machineOf(droplet)]))
    return [...machines.values()].filter(
      ({ name, marks }) => marks?.installation === installation && name === (query.name ?? name),
    )
  }

  #pages<T>(path: string, query: Record<string, string>, read: (json: unknown) => Page<T>): Promise<T[]> {
    return this.#http.allPages(async (page) => {
      const asked = new URLSearchParams({ ...query, page: String(page), per_page: String(itemsPerPage) })
      const answer = await this.#http.ask('GET', `${path}?${asked}`)
      const refusal = this.#refusalOf(answer, 200)
      if (refusal) throw refusal
      const { items, links } = read(answer.json)
      return { items, isLast: links?.pages?.next === undefined }
    })
  }

  async #act(ref: string, type: string): Promise<ActionRef> {
    if (!refPattern.test(ref)) throw this.#http.refusal('gone', 'no such droplet')
    const answer = await this.#http.ask('POST', `/droplets/${ref}/actions`, { type })
    const refusal = this.#refusalOf(answer, 201)
    if (refusal) throw refusal
    return String(this.#read.action(answer.json).action.id)
  }

  /** What is so already is refused here, and asking twice should do no harm. */
  async #bring(ref: string, type: string, state: MachineState): Promise<ActionRef> {
    try {
      return await this.#act(ref, type)
    } catch (error) {
      if (!(error instanceof CloudRefusal) || error.kind !== 'invalid') throw error
      if ((await this.show(ref))?.state === state) return null
      throw error
    }
  }

  #machineOf(droplet: Droplet): Machine {
    const machine = machineOf(droplet)
    if (machine) return machine
    throw this.#http.unreachable('answered with a droplet that cannot be')
  }

  /** Undefined when it did as it was asked; throws when that cannot be known. */
  #refusalOf({ status, headers, json }: WholeAnswer, expected: number): CloudRefusal | undefined {
    if (status === expected) return undefined
    if (status === 429) return this.#http.refusal('rate', 'too many requests', waitOf(headers))
    if (status < 400 || status >= 500 || status === 408) throw this.#http.unreachable(`answered ${status}`)
    // A page from something between us and DigitalOcean is not DigitalOcean's word.
    const { id, message } = this.#read.error(json)
    return this.#http.refusal(kindOfAnswer(status, message), `refused with ${status}: ${id}, ${message}`)
  }
}
