import type { AwgParameters } from '@sallyport/contract/agent/agent'
import type { Protocol, SwitchName } from '@sallyport/contract/shapes'
import type { InboundSettings, InboundSites } from '../../core/fleet/inbound-settings.ts'
import {
  type Homeland,
  indexColumn,
  productTitle,
  type WarpRow,
  warpOf,
} from '../../core/vpn/access/access-row.ts'
import { nodeLostOn } from '../../core/vpn/access/online.ts'
import { prepared } from '../../db/client.ts'

/** Live configurations, and apart from them what all of a server have in common. */

/** What is its own, and of which inbound and location it is. */
export interface LiveRow {
  readonly id: number
  readonly title: string | null
  readonly protocol: Protocol
  readonly options: readonly SwitchName[]
  readonly credential_nonce: Uint8Array
  readonly server_id: number
  readonly location_id: number
  readonly position: number | null
  /** Null of one on the inbound's port. */
  readonly port: number | null
  readonly tunnel_host: number | null
  /** Null of one that is not personal. */
  readonly personal: {
    readonly awg: AwgParameters | null
    readonly xray_config: string | null
    readonly warp: WarpRow | null
  } | null
  readonly product_title: string | null
  readonly term_id: number
  readonly expires_at: number
  /** The node that does not carry it, while nobody else can take it. */
  readonly lost_on: number | null
  readonly fleet_version: number
}

/** Of many customers at once, each with the place of whom it is of. Titles are in the language of the asking app. */
export const listLiveConfigs = prepared<
  [userIds: readonly number[], nows: readonly number[], inEnglish: readonly boolean[]],
  LiveRow & { readonly at: number }
>(
  `select a.at, c.id, c.title, c.protocol, c.options, c.credential_nonce, c.server_id, c.location_id, c.position, c.port,
     c.tunnel_host, c.term_id, t.expires_at, (select version from fleet_version) as fleet_version,
     ${productTitle('a.in_english')} as product_title,
     case when c.port is not null then jsonb_build_object('awg', c.awg, 'xray_config', encode(c.xray_config_sealed, 'base64'),
       'warp', ${warpOf}) end as personal,
     ${nodeLostOn} as lost_on
   from unnest($1::bigint[], $2::bigint[], $3::boolean[]) with ordinality a (user_id, now, in_english, at)
     join terms t on t.user_id = a.user_id join accesses c on c.term_id = t.id
   where t.state = 'active' and t.expires_at > a.now and t.paused is null and c.beside_id is null and not c.is_proxy
   order by a.at, ${indexColumn}, c.id`,
)

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

export interface InboundRow extends Inbound {
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
