import { isIP } from 'node:net'
import Type, { type Static } from 'typebox'
import type { Machine, MachineMarks, MachineState } from '../../../ports/clouds.ts'
import { readMoment } from '../cloud-http.ts'
import { readMarks } from '../marks.ts'

/** What DigitalOcean answers, as far as it is used: https://docs.digitalocean.com/reference/api */

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

export const ErrorAnswer = Type.Object({ id: Type.String(), message: Type.String() })

const Action = Type.Object({
  id: Id,
  status: Type.Union([Type.Literal('in-progress'), Type.Literal('completed'), Type.Literal('errored')]),
  type: Type.String(),
})
export const ActionAnswer = Type.Object({ action: Action })

const Network = Type.Object({ ip_address: Type.String(), type: Type.String() })

const Droplet = Type.Object({
  id: Id,
  name: Type.String(),
  status: Type.String(),
  created_at: Type.String(),
  tags: Type.Array(Type.String()),
  networks: Type.Object({ v4: Type.Array(Network) }),
})
export type Droplet = Static<typeof Droplet>
export const DropletAnswer = Type.Object({ droplet: Droplet })
export const CreatedAnswer = Type.Object({
  droplet: Droplet,
  links: Type.Optional(
    Type.Object({ actions: Type.Optional(Type.Array(Type.Object({ id: Id, rel: Type.String() }))) }),
  ),
})

const links = Type.Optional(
  Type.Object({ pages: Type.Optional(Type.Object({ next: Type.Optional(Type.String()) })) }),
)
export const DropletsAnswer = Type.Object({ droplets: Type.Array(Droplet), links })

const Size = Type.Object({
  slug: Type.String(),
  description: Type.String(),
  vcpus: Type.Integer({ minimum: 1 }),
  memory: Type.Integer({ minimum: 1 }),
  disk: Type.Number({ minimum: 0 }),
  price_monthly: Type.Number({ minimum: 0 }),
  available: Type.Boolean(),
  regions: Type.Array(Type.String()),
})
export type Size = Static<typeof Size>
export const SizesAnswer = Type.Object({ sizes: Type.Array(Size), links })

const Region = Type.Object({ slug: Type.String(), available: Type.Boolean() })
export type Region = Static<typeof Region>
export const RegionsAnswer = Type.Object({ regions: Type.Array(Region), links })

const states: ReadonlyMap<string, MachineState> = new Map([
  ['new', 'starting'],
  ['active', 'running'],
  ['off', 'off'],
])

const commonTag = 'sallyport'

export const tagOf = (installation: string): string => `${commonTag}-${installation}`

export const tagsOf = ({ installation, order, attempt }: MachineMarks): string[] => [
  commonTag,
  tagOf(installation),
  `${tagOf(installation)}-order-${order}`,
  `${tagOf(installation)}-attempt-${attempt}`,
]

/** A machine with some of our tags, or with those of two installations, is nobody's. */
const marksOf = (tags: readonly string[]): MachineMarks | null => {
  const partsOf = (part: string) => {
    const pattern = new RegExp(`^${commonTag}-(.+)-${part}-(\\d+)$`)
    const found = tags.map((tag) => pattern.exec(tag)).filter((match) => match !== null)
    return found.length === 1 ? found[0] : undefined
  }
  const order = partsOf('order')
  const attempt = partsOf('attempt')
  const marks = readMarks(order?.[1], order?.[2], attempt?.[2])
  if (marks?.installation !== attempt?.[1]) return null
  return marks && tags.includes(tagOf(marks.installation)) ? marks : null
}

/** IPv4, which comes a moment after the machine: not every customer has the other. */
const addressOf = ({ v4 }: Droplet['networks']): string | null | undefined => {
  const address = v4.find(({ type }) => type === 'public')?.ip_address
  if (address === undefined) return null
  return isIP(address) === 4 ? address : undefined
}

/** Undefined when something in it cannot be. */
export const machineOf = (droplet: Droplet): Machine | undefined => {
  const createdAt = readMoment(droplet.created_at)
  const address = addressOf(droplet.networks)
  if (createdAt === undefined || address === undefined) return undefined
  return {
    ref: String(droplet.id),
    name: droplet.name,
    marks: marksOf(droplet.tags),
    state: states.get(droplet.status) ?? 'unknown',
    address,
    createdAt,
  }
}
