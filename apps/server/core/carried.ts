import type { AwgParameters } from '@sallyport/contract/agent'
import type { OptionName, Protocol } from '@sallyport/contract/shapes'

/** A configuration joined with the inbound, server, node and location it lives on. */

/** What is public about an inbound, by protocol; stored as inbounds.settings. */
export interface InboundSettings {
  /** REALITY and WireGuard. */
  readonly public_key?: string
  readonly short_id?: string
  readonly server_name?: string
  readonly target?: string
  readonly other_server_name?: string
  readonly other_target?: string
  /** Name and pin of the server's certificate. */
  readonly tls_name?: string
  readonly tls_pin?: string | null
}

export interface WarpRow {
  /** Base64 of the sealed private key. */
  readonly key: string
  readonly addresses: readonly string[]
  readonly peer_public_key: string
  readonly endpoint: string
  readonly reserved: readonly number[]
}

export interface CarriedConfig {
  readonly id: number
  readonly title: string | null
  readonly protocol: Protocol
  readonly options: readonly OptionName[]
  readonly credential_nonce: Uint8Array
  readonly server_id: number
  readonly node_id: number
  readonly address: string
  readonly listen_address: string
  readonly location_code: string
  readonly location_title: string
  readonly port: number
  readonly settings: InboundSettings
  /** Of the server's inbound: keys that the server's side of a link is made from. */
  readonly secret_sealed: Uint8Array
  readonly tunnel_host: number | null
  readonly awg: AwgParameters | null
  readonly xray_config_sealed: Uint8Array | null
  readonly warp: WarpRow | null
  readonly home: { readonly domains: readonly string[]; readonly networks: readonly string[] } | null
}

/** `title` names the column of the location's title. */
export const carriedColumns = (title: string): string => `
  c.id, c.title, c.protocol, c.options, c.credential_nonce, c.server_id, i.node_id, n.address, n.listen_address,
  l.code as location_code, ${title} as location_title, coalesce(c.port, i.port) as port, i.settings,
  case when c.protocol in ('shadowsocks-2022', 'hysteria2') then i.secret_sealed end as secret_sealed,
  c.tunnel_host, c.awg, c.xray_config_sealed,
  case when 'use_warp' = any(c.options) then (
    select jsonb_build_object('key', encode(w.private_key_sealed, 'base64'), 'addresses', w.addresses,
      'peer_public_key', w.peer_public_key, 'endpoint', w.endpoint, 'reserved', w.reserved)
    from warp_accounts w where w.node_id = i.node_id) end as warp,
  case when cardinality(l.home_domains) + cardinality(l.home_networks) > 0 then
    jsonb_build_object('domains', l.home_domains, 'networks', l.home_networks) end as home`

export const carriedFrom = `
  from configs c
  join inbounds i on i.server_id = c.server_id and i.protocol = c.protocol
  join nodes n on n.id = i.node_id
  join locations l on l.id = c.location_id`

export const isPersonal = (protocol: string, options: readonly string[]): boolean =>
  protocol === 'amnezia-wg-2' || options.includes('use_extended_settings')

export const isExtended = ({ options }: { readonly options: readonly string[] }): boolean =>
  options.includes('use_extended_settings')
