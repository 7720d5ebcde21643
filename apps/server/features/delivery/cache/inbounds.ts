import { LRUCache } from 'lru-cache'
import type { InboundSettings, InboundSites } from '../../../core/fleet/inbound-settings.ts'
import type { Homeland } from '../../../core/vpn/access/access-row.ts'
import { type Db, prepared } from '../../../db/client.ts'
import { GatheredRow } from '../../../db/reads/gathered.ts'

/**
 * Inbounds with their nodes and locations. Everybody on a server has the same ones and they hardly ever change, so they are
 * remembered for as long as `fleet_version` is the same, which whatever changes one of them raises.
 */

export interface InboundRef {
  readonly server_id: number
  readonly protocol: string
  readonly location_id: number
}

export interface Inbound {
  readonly node_id: number
  readonly address: string
  readonly listen_address: string
  /** Null where each customer has one. */
  readonly port: number | null
  readonly settings: InboundSettings
  readonly sites: InboundSites
  /** Base64 of the sealed one. */
  readonly secret: string
  readonly location_code: string
  readonly location_ru: string
  readonly location_en: string
  /** Null where nothing is at home. */
  readonly home: Homeland | null
}

interface InboundRow extends Inbound {
  readonly fleet_version: number
}

export const inboundsByRef = prepared<
  [serverIds: readonly number[], protocols: readonly string[], locationIds: readonly number[]],
  InboundRow & { readonly at: number }
>(
  `select a.at, i.node_id, n.address, n.listen_address, i.port, i.settings, i.sites,
     encode(i.secret_sealed, 'base64') as secret, l.code as location_code, l.title_ru as location_ru, l.title_en as location_en,
     case when cardinality(l.home_domains) + cardinality(l.home_networks) > 0 then
       jsonb_build_object('domains', l.home_domains, 'networks', l.home_networks) end as home,
     (select version from fleet_version) as fleet_version
   from unnest($1::bigint[], $2::text[], $3::bigint[]) with ordinality a (server_id, protocol, location_id, at)
     join inbounds i on i.server_id = a.server_id and i.protocol = a.protocol
     join nodes n on n.id = i.node_id join locations l on l.id = a.location_id`,
)

/** About a kilobyte each. */
const mostInbounds = 20_000

const nameOf = ({ server_id, protocol, location_id }: InboundRef): string =>
  `${server_id} ${protocol} ${location_id}`

export class InboundCache {
  readonly #rows: GatheredRow<InboundRef, InboundRow>
  readonly #known: LRUCache<string, Inbound>
  /** Of everything that is known. */
  #version = 0

  constructor(db: Db, most = mostInbounds) {
    this.#known = new LRUCache({ max: most })
    this.#rows = new GatheredRow((asked) =>
      inboundsByRef(
        db,
        asked.map(({ server_id }) => server_id),
        asked.map(({ protocol }) => protocol),
        asked.map(({ location_id }) => location_id),
      ),
    )
  }

  /** Of each of these, as they were at this version or later; undefined where there is none. */
  async of(refs: readonly InboundRef[], version: number): Promise<(Inbound | undefined)[]> {
    this.#turnTo(version)
    const found = refs.map((ref) => this.#known.get(nameOf(ref)))
    if (!found.includes(undefined)) return found
    return Promise.all(refs.map((ref, at) => found[at] ?? this.#read(ref)))
  }

  async #read(ref: InboundRef): Promise<Inbound | undefined> {
    const row = await this.#rows.of(ref)
    if (!row) return undefined
    this.#turnTo(row.fleet_version)
    this.#known.set(nameOf(ref), row)
    return row
  }

  /** Also to an earlier one, which somebody read before it rose: what is kept is then of that. */
  #turnTo(version: number): void {
    if (version === this.#version) return
    this.#known.clear()
    this.#version = version
  }
}
