import type { Language } from '@sallyport/domain/text/language'
import { type AccessRow, isExtended } from '../../core/vpn/access/access-row.ts'
import type { Db } from '../../db/client.ts'
import { GatheredRows } from '../../db/reads/gathered.ts'
import { InboundCache } from './cache/inbounds.ts'
import { type Inbound, type LiveRow, listLiveConfigs } from './live-queries.ts'
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
