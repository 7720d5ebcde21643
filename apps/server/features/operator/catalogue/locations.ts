import { isIP } from 'node:net'
import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { locationRows } from '@sallyport/contract/operator/catalogue/locations'
import { hostnameProblem } from '@sallyport/domain/text/hostname'
import { networkProblem } from '@sallyport/domain/text/network'
import type { Handlers } from '../../../core/call.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { allowLongStatements } from '../../../core/kernel/jobs.ts'
import type { Db } from '../../../db/client.ts'
import { customersOn } from '../common/dependants.ts'
import { wholeOrPage } from '../common/pages.ts'
import { requireVersion } from '../common/versions.ts'
import {
  countContents,
  insertLocation,
  type LocationContents,
  type LocationRow,
  lockLocation,
  readLocations,
  updateLocation,
} from './location-queries.ts'

/** Where things are sold. */

const problemOf = ({ servers, selling, has_offers: hasOffers }: LocationRow): string | null => {
  if (selling > 0 || hasOffers) return null
  const reason = servers > 0 ? 'none of its servers takes new customers' : 'it has no servers'
  return `cannot be sold, because ${reason}, and cloud servers are not offered there`
}

const shownLocation = (location: LocationRow) => {
  const { has_offers: _offers, selling: _selling, ...row } = location
  return { ...row, problem: problemOf(location) }
}

const readOne = async (tx: Db, id: number) => shownLocation((await readLocations(tx, id))[0] as LocationRow)

interface Places {
  readonly ping_ip?: string | null
  readonly home_domains?: string[]
  readonly home_networks?: string[]
}

/** What engines and apps are told must be what they can read. */
const checkPlaces = ({ ping_ip: pingIp, home_domains: domains, home_networks: networks }: Places): void => {
  if (pingIp && isIP(pingIp) === 0) throw badRequest('ping_ip', 'must be an IP address')
  for (const [n, name] of (domains ?? []).entries()) {
    const problem = hostnameProblem(name)
    if (problem) throw badRequest(`home_domains.${n}`, problem)
  }
  for (const [n, network] of (networks ?? []).entries()) {
    const problem = networkProblem(network)
    if (problem) throw badRequest(`home_networks.${n}`, problem)
  }
}

const counted = (count: number, one: string): string | false =>
  count > 0 && `${count} ${one}${count === 1 ? '' : 's'}`

/** What has to go before the location can. */
const dependence = (contents: LocationContents): string | undefined => {
  const found = [
    counted(contents.servers, 'server'),
    counted(contents.configurations, 'configuration'),
    counted(contents.machines, 'cloud server'),
    counted(contents.offers, 'cloud offer'),
  ].filter((part) => part !== false)
  if (found.length === 0) return undefined
  const what = `still has ${found.join(', ')}; they have to go first`
  return contents.customers > 0 ? customersOn(contents.customers, `it ${what}`) : what
}

const nothingSaid = {
  description_ru: '',
  description_en: '',
  caption_ru: '',
  caption_en: '',
  ping_ip: null,
}

export const locationHandlers: Handlers<typeof locationRows> = {
  listAllLocations: async ({ db, query }) =>
    wholeOrPage(await readLocations(db, null), query).map(shownLocation),

  createLocation: ({ body }) => {
    checkPlaces(body)
    return async (tx) => {
      const id = await insertLocation(tx, { ...nothingSaid, ...body })
      if (id === undefined) throw conflict('id', 'is, or was, the number of another location')
      const made = await readOne(tx, id)
      return audited(made, { id, after: made })
    }
  },

  changeLocation: ({ params: { id }, body: { version, ...changes } }) => {
    checkPlaces(changes)
    return async (tx) => {
      if (!(await lockLocation(tx, id))) throw new ApiError('NOT_FOUND')
      const before = await readOne(tx, id)
      requireVersion(version, before)
      // Everybody there hears of a new title.
      await allowLongStatements(tx)
      await updateLocation(tx, id, changes)
      const after = await readOne(tx, id)
      return audited(after, { before, after })
    }
  },

  deleteLocation:
    ({ params: { id }, now }) =>
    async (tx) => {
      if (!(await lockLocation(tx, id))) throw new ApiError('NOT_FOUND')
      // Whoever has something there is counted.
      await allowLongStatements(tx)
      const problem = dependence(await countContents(tx, id))
      if (problem) throw conflict('id', problem)
      const before = await readOne(tx, id)
      await updateLocation(tx, id, { deleted_at: now, is_active: false })
      return audited(true, { before, after: null })
    },
}
