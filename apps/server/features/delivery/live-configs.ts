import type { AwgParameters } from '@sallyport/contract/agent/agent'
import type { Protocol, SwitchName } from '@sallyport/contract/shapes'
import type { Language } from '@sallyport/domain/text/language'
import { type AccessRow, indexColumn, isExtended, type WarpRow } from '../../core/vpn/access/access-row.ts'
import { type Db, prepared } from '../../db/client.ts'
import { GatheredRows } from '../../db/reads/gathered.ts'
import { type Inbound, InboundCache } from './cache/inbounds.ts'
import type { SubscriptionOwner } from './queries.ts'

/** The configurations of an account that apps are given, read by what differs between customers alone. */

export interface DeliveredConfig extends AccessRow {
  readonly term_id: number
  readonly is_lost: boolean
  readonly expires_at: number
}

/** Whose, in which language, and when. */
interface LiveRequest {
  readonly owner: Pick<SubscriptionOwner, 'user_id'>
  readonly language: Language
  readonly now: number
}

/** What is its own, and of which inbound and location it is. */
interface LiveRow {
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
     case t.product when 'paid_options' then (
       select case when a.in_english then p.title_en else p.title_ru end from paid_options p where p.id = t.product_id
     ) end as product_title,
     case when c.port is not null then jsonb_build_object('awg', c.awg, 'xray_config', encode(c.xray_config_sealed, 'base64'),
       'warp', case when 'use_warp' = any(c.options) then (
         select jsonb_build_object('key', encode(w.private_key_sealed, 'base64'), 'addresses', w.addresses,
           'peer_public_key', w.peer_public_key, 'endpoint', w.endpoint, 'reserved', w.reserved)
         from warp_accounts w where w.access_id = c.id) end) end as personal,
     (select u.node_id from uncarried u
       where u.access_id = c.id and u.carried_at is null and u.told_at is not null) as lost_on
   from unnest($1::bigint[], $2::bigint[], $3::boolean[]) with ordinality a (user_id, now, in_english, at)
     join terms t on t.user_id = a.user_id join accesses c on c.term_id = t.id
   where t.state = 'active' and t.expires_at > a.now and t.paused is null and c.beside_id is null and not c.is_proxy
   order by a.at, ${indexColumn}, c.id`,
)

const nothingPersonal = { awg: null, xray_config: null, warp: null }

const toConfig = (row: LiveRow, inbound: Inbound, inEnglish: boolean): DeliveredConfig => {
  const { id, title, protocol, options, credential_nonce, server_id, position, product_title } = row
  const { node_id, settings, listen_address, sites, secret } = inbound
  return {
    id,
    title,
    protocol,
    options,
    credential_nonce,
    server_id,
    node_id,
    address: inbound.address,
    location_code: inbound.location_code,
    location_title: inEnglish ? inbound.location_en : inbound.location_ru,
    product_title,
    position,
    port: row.port ?? inbound.port ?? 0,
    settings,
    extra: {
      listen_address,
      sites,
      secret,
      tunnel_host: row.tunnel_host,
      ...(row.personal ?? nothingPersonal),
    },
    home: isExtended(row) ? inbound.home : null,
    term_id: row.term_id,
    is_lost: row.lost_on === node_id,
    expires_at: row.expires_at,
  }
}

const readLive = (db: Db, asked: readonly LiveRequest[]) =>
  listLiveConfigs(
    db,
    asked.map(({ owner }) => owner.user_id),
    asked.map(({ now }) => now),
    asked.map(({ language }) => language === 'en'),
  )

export class LiveConfigs {
  readonly #rows: GatheredRows<LiveRequest, LiveRow>
  readonly #inbounds: InboundCache

  constructor(db: Db) {
    this.#rows = new GatheredRows((asked) => readLive(db, asked))
    this.#inbounds = new InboundCache(db)
  }

  /** By index in each option. What its server has no inbound for is left out. */
  async of(asked: LiveRequest): Promise<DeliveredConfig[]> {
    const rows = await this.#rows.of(asked)
    const [first] = rows
    if (!first) return []
    const inbounds = await this.#inbounds.of(rows, first.fleet_version)
    const inEnglish = asked.language === 'en'
    return rows.flatMap((row, at) => {
      const inbound = inbounds[at]
      return inbound ? toConfig(row, inbound, inEnglish) : []
    })
  }
}
