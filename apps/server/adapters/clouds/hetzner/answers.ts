import { isIP } from 'node:net'
import Type, { type Static } from 'typebox'
import type { Machine, MachineState } from '../../../ports/clouds.ts'
import { readMoment } from '../cloud-http.ts'
import { readMarks } from '../marks.ts'

/** What Hetzner answers, as far as it is used: https://docs.hetzner.cloud/reference/cloud */

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

export const Failure = Type.Object({ code: Type.String(), message: Type.String() })

export const ErrorAnswer = Type.Object({ error: Failure })

const Action = Type.Object({
  id: Id,
  status: Type.Union([Type.Literal('running'), Type.Literal('success'), Type.Literal('error')]),
  error: Type.Union([Failure, Type.Null()]),
})
export type HetznerAction = Static<typeof Action>
export const ActionAnswer = Type.Object({ action: Action })

const Address = Type.Union([Type.Object({ ip: Type.String() }), Type.Null()])

const Server = Type.Object({
  id: Id,
  name: Type.String(),
  status: Type.String(),
  created: Type.String(),
  labels: Type.Record(Type.String(), Type.String()),
  public_net: Type.Object({ ipv4: Address }),
})
export type HetznerServer = Static<typeof Server>
export const ServerAnswer = Type.Object({ server: Server })
export const CreatedAnswer = Type.Object({ server: Server, action: Action })

const nextPage = Type.Union([Type.Integer({ minimum: 2 }), Type.Null()])
const meta = Type.Object({ pagination: Type.Object({ next_page: nextPage }) })
export const ServersAnswer = Type.Object({ servers: Type.Array(Server), meta })

const Price = Type.Object({
  location: Type.String(),
  price_monthly: Type.Object({ gross: Type.String() }),
})
const Deprecation = Type.Union([Type.Object({ unavailable_after: Type.String() }), Type.Null()])
const ServerType = Type.Object({
  name: Type.String(),
  description: Type.String(),
  cores: Type.Integer({ minimum: 1 }),
  memory: Type.Number({ minimum: 0 }),
  disk: Type.Number({ minimum: 0 }),
  prices: Type.Array(Price),
  locations: Type.Array(
    Type.Object({ name: Type.String(), available: Type.Boolean(), deprecation: Deprecation }),
  ),
})
export type HetznerServerType = Static<typeof ServerType>
export const ServerTypesAnswer = Type.Object({ server_types: Type.Array(ServerType), meta })

export const PricingAnswer = Type.Object({
  pricing: Type.Object({
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    primary_ips: Type.Array(Type.Object({ type: Type.String(), prices: Type.Array(Price) })),
  }),
})
export type HetznerPricing = Static<typeof PricingAnswer>['pricing']

/** What it does meanwhile, like moving to another host, is no state that anybody waits for. */
const states: ReadonlyMap<string, MachineState> = new Map([
  ['initializing', 'starting'],
  ['starting', 'starting'],
  ['running', 'running'],
  ['off', 'off'],
  ['deleting', 'going'],
])

export const installationLabel = 'sallyport'
export const orderLabel = 'sallyport-order'
export const attemptLabel = 'sallyport-attempt'

/** IPv4, which is asked for with every machine and may come a moment later: not every customer has the other. */
const addressOf = ({ ipv4 }: HetznerServer['public_net']): string | null | undefined => {
  if (ipv4 === null) return null
  return isIP(ipv4.ip) === 4 ? ipv4.ip : undefined
}

/** Undefined when something in it cannot be. */
export const machineOf = (server: HetznerServer): Machine | undefined => {
  const createdAt = readMoment(server.created)
  const address = addressOf(server.public_net)
  if (createdAt === undefined || address === undefined) return undefined
  const { labels } = server
  return {
    ref: String(server.id),
    name: server.name,
    marks: readMarks(labels[installationLabel], labels[orderLabel], labels[attemptLabel]),
    state: states.get(server.status) ?? 'unknown',
    address,
    createdAt,
  }
}
