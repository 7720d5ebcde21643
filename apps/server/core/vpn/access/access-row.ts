import type { AwgParameters } from '@sallyport/contract/agent/agent'
import type { Protocol, SwitchName } from '@sallyport/contract/shapes'
import type { InboundSettings, InboundSites } from '../../fleet/inbound-settings.ts'

/** A configuration of whatever owner, joined with the inbound, server, node and location it lives on. */

export interface WarpRow {
  /** Base64 of the sealed private key. */
  readonly key: string
  readonly addresses: readonly string[]
  readonly peer_public_key: string
  readonly endpoint: string
  readonly reserved: readonly number[]
}

/** What leaves from a country's servers directly, because it is at home there. */
export interface Homeland {
  readonly domains: readonly string[]
  readonly networks: readonly string[]
}

/** What only some protocols and options need; sealed values are Base64. */
export interface Extra {
  readonly listen_address: string
  readonly sites: InboundSites
  /** Of the server's inbound. */
  readonly secret: string
  readonly tunnel_host: number | null
  readonly awg: AwgParameters | null
  readonly xray_config: string | null
  readonly warp: WarpRow | null
}

export interface AccessRow {
  readonly id: number
  readonly title: string | null
  readonly protocol: Protocol
  readonly options: readonly SwitchName[]
  readonly credential_nonce: Uint8Array
  readonly server_id: number
  readonly node_id: number
  readonly address: string
  readonly location_code: string
  readonly location_title: string
  /** What it came with, and its index there; null of what is sold alone, or was added. */
  readonly product_title: string | null
  readonly position: number | null
  readonly port: number
  readonly settings: InboundSettings
  readonly extra: Extra | null
  readonly home: Homeland | null
}

export const extraOf = ({ id, extra }: AccessRow): Extra => {
  if (!extra) throw new Error(`Configuration ${id} was read without what its protocol needs`)
  return extra
}

/** Of a term `t`: what its accesses came with, null of what is sold alone. */
export const productTitle = (inEnglish: string): string => `case t.product when 'paid_options' then (
    select case when ${inEnglish} then p.title_en else p.title_ru end from paid_options p where p.id = t.product_id
  ) end`

/** Of an access `c`. */
export const warpOf = `case when 'use_warp' = any(c.options) then (
      select jsonb_build_object('key', encode(w.private_key_sealed, 'base64'), 'addresses', w.addresses,
        'peer_public_key', w.peer_public_key, 'endpoint', w.endpoint, 'reserved', w.reserved)
      from warp_accounts w where w.access_id = c.id) end`

/** Most configurations need nothing extra, and pay for no more than some nulls. `inEnglish` says whether the titles are. */
export const accessRowColumns = (inEnglish = 'false'): string => `
  c.id, c.title, c.protocol, c.options, c.credential_nonce, c.server_id, i.node_id, n.address, l.code as location_code,
  case when ${inEnglish} then l.title_en else l.title_ru end as location_title, c.position,
  ${productTitle(inEnglish)} as product_title, coalesce(c.port, i.port) as port, i.settings,
  case when c.port is not null or c.protocol in ('shadowsocks-2022', 'hysteria2', 'wg') then jsonb_build_object(
    'listen_address', n.listen_address, 'sites', i.sites, 'secret', encode(i.secret_sealed, 'base64'),
    'tunnel_host', c.tunnel_host, 'awg', c.awg, 'xray_config', encode(c.xray_config_sealed, 'base64'),
    'warp', ${warpOf}) end as extra,
  case when 'use_extended_settings' = any(c.options) and cardinality(l.home_domains) + cardinality(l.home_networks) > 0 then
    jsonb_build_object('domains', l.home_domains, 'networks', l.home_networks) end as home`

/** Of an option's own and of what was added to it, as customers know it; null of what is sold alone. */
export const indexColumn = 'coalesce(c.position, c.added_index)'

export const accessRowFrom = `
  from terms t
  join accesses c on c.term_id = t.id
  join inbounds i on i.server_id = c.server_id and i.protocol = c.protocol
  join nodes n on n.id = i.node_id
  join locations l on l.id = c.location_id`

/** The same of copies of how accesses were, called by the ids of their accesses. */
export const heldRowFrom = `
  from held_accesses h join terms t on t.id = h.term_id
  cross join lateral (select h.access_id as id, null::text as title, null::integer as position, h.protocol, h.options,
    h.credential_nonce, h.server_id, h.port, h.tunnel_host, h.awg, h.xray_config_sealed) c
  join inbounds i on i.server_id = c.server_id and i.protocol = c.protocol
  join nodes n on n.id = i.node_id
  join locations l on l.id = h.location_id`

export const isPersonal = (protocol: string, options: readonly string[]): boolean =>
  protocol === 'amnezia-wg-2' || options.includes('use_extended_settings')

export const isExtended = ({ options }: { readonly options: readonly string[] }): boolean =>
  options.includes('use_extended_settings')
