import type { DeviceSettings } from '@sallyport/domain/delivery/device'
import { usageColumns, usageFrom } from '../../core/options/usage.ts'
import { meantTerms } from '../../core/subscriptions/meant.ts'
import type { Pause } from '../../core/terms/terms.ts'
import { type CarriedConfig, carriedColumns, carriedFrom } from '../../core/vpn/access/carried.ts'
import { type Db, prepared } from '../../db/client.ts'
import { type OwnerTexts, textsOf } from './keeping/texts.ts'

interface OwnerRow extends DeviceSettings {
  readonly id: number
  readonly user_id: number
  readonly kind: 'account' | 'paid_option' | 'custom'
  /** As the customer calls one that they put together; null of others. */
  readonly title: string | null
  /** Whether apps that take it get Xray's JSON. */
  readonly is_template_enabled: boolean
  /** Rises with whatever changes what the key delivers. */
  readonly revision: number
  /** Of what the operator decided about delivery. */
  readonly settings_version: number
  readonly upload: number
  readonly download: number
  /** The terms whose traffic that is. */
  readonly counted: readonly number[]
  /** When the last live configuration ends; null without any. */
  readonly expires_at: number | null
  /** The asking device; null when it is not known. */
  readonly device_id: number | null
  readonly is_device_blocked: boolean | null
  readonly device_seen_at: number | null
  /** Whether anything was ever bought that could be renewed. */
  readonly has_terms: boolean
  /** Whether there is a machine, and so perhaps what stands by itself on it. */
  readonly has_machines: boolean
  /** Asked only for a device that does not say which it is. */
  readonly has_blocked: boolean
  /** Live options, each of which counts devices of its own. */
  readonly options: readonly DeliveredOption[]
}

export interface SubscriptionOwner extends OwnerRow {
  /** What headers say of it. */
  readonly texts: OwnerTexts
}

export interface DeliveredOption {
  readonly term_id: number
  readonly subscription_id: number
  readonly title_ru: string
  readonly title_en: string
  readonly device_limit: number
  readonly paused: Pause | null
  readonly expires_at: number
  /** The asking device; null when it is not known. */
  readonly device_id: number | null
  readonly device_seen_at: number | null
}

/** Whose key it is, and what is known of the device, in one round trip; without a device $2 and $3 are null. */
export const ownerByHash = prepared<
  [keyHash: Uint8Array, hwidHash: Uint8Array | null, panelHash: Uint8Array | null, now: number],
  OwnerRow
>(
  `select s.id, s.user_id, s.kind, s.title, s.revision, (select version from delivery_settings) as settings_version, exists (select from subscription_templates p
       where p.subscription_id = s.id and p.is_enabled) as is_template_enabled, s.block_unknown_devices, s.device_limit, d.id as device_id,
     d.is_blocked as is_device_blocked, d.last_seen_at as device_seen_at,
     coalesce(sum(m.up), 0)::bigint as upload, coalesce(sum(m.down), 0)::bigint as download,
     coalesce(array_agg(distinct t.id) filter (where t.id is not null), '{}') as counted,
     max(t.expires_at) filter (where t.state = 'active') as expires_at,
     count(t.id) > 0 as has_terms, coalesce(bool_or(t.product = 'cloud_servers'), false) as has_machines,
     $2 is null and exists (select from devices b where b.subscription_id = s.id and b.is_blocked) as has_blocked,
     coalesce((select json_agg(json_build_object('term_id', o.id, 'subscription_id', os.id, 'title_ru', p.title_ru,
         'title_en', p.title_en, 'device_limit', os.term_device_limit, 'paused', o.paused,
         'expires_at', o.expires_at, 'device_id', od.id, 'device_seen_at', od.last_seen_at) order by o.id)
       from terms o join paid_options p on p.id = o.product_id join subscriptions os on os.term_id = o.id
       left join devices od on od.subscription_id = os.id and od.hwid_hash = $3
       where o.user_id = s.user_id and o.product = 'paid_options' and o.state = 'active' and o.expires_at > $4
         and (s.kind <> 'custom' or o.id in (${meantTerms}))),
     '[]'::json) as options
   from subscriptions s join users u on u.id = s.user_id
     left join devices d on d.subscription_id = s.id and d.hwid_hash = $2
     left join terms t on t.user_id = s.user_id and t.state <> 'deleted' and (s.kind <> 'custom' or t.id in (${meantTerms}))
     left join meters m on m.term_id = t.id
   where s.key_hash = $1 and not u.is_blocked group by s.id, d.id`,
)

export const findOwner = async (
  db: Db,
  keyHash: Uint8Array,
  hwid: { readonly hash: Uint8Array; readonly panelHash: Uint8Array } | null,
  now: number,
): Promise<SubscriptionOwner | undefined> => {
  const [row] = await ownerByHash(db, keyHash, hwid?.hash ?? null, hwid?.panelHash ?? null, now)
  return row && { ...row, texts: textsOf(row) }
}

/** When the last of what the subscription had came to its end, for a page that says so. */
export const findLastEnd = prepared<[subscriptionId: number], { readonly ended_at: number | null }>(
  `select max(t.expires_at) as ended_at from subscriptions s join terms t on t.user_id = s.user_id
   where s.id = $1 and t.state <> 'deleted' and (s.kind <> 'custom' or t.id in (${meantTerms}))`,
)

/** What is asked at each fetch, also of an owner who is known. Whatever else an owner is raises the revision. */
const askedAlways =
  's.revision, s.block_unknown_devices, s.device_limit, (select version from delivery_settings) as settings_version'
const ofDevice = 'd.id as device_id, d.is_blocked as is_device_blocked, d.last_seen_at as device_seen_at'
/** Not as `exists`, for which PostgreSQL may read all blocked devices that there are. */
const hasBlocked =
  '(select true from devices b where b.subscription_id = s.id and b.is_blocked limit 1) is not null'

export type Standing = Pick<
  SubscriptionOwner,
  | 'revision'
  | 'block_unknown_devices'
  | 'device_limit'
  | 'settings_version'
  | 'device_id'
  | 'is_device_blocked'
  | 'device_seen_at'
  | 'has_blocked'
>

/** Of many at once: each has a row with its place, from 1, unless its key is gone. Without a device its hash is null. */
export const standings = prepared<
  [keyHashes: readonly Uint8Array[], hwidHashes: readonly (Uint8Array | null)[]],
  Standing & { readonly at: number }
>(
  `select a.at, ${askedAlways}, ${ofDevice}, a.hwid_hash is null and ${hasBlocked} as has_blocked
   from unnest($1::bytea[], $2::bytea[]) with ordinality a (key_hash, hwid_hash, at)
     join subscriptions s on s.key_hash = a.key_hash
     left join devices d on d.subscription_id = s.id and d.hwid_hash = a.hwid_hash`,
)

type OfOption = Pick<DeliveredOption, 'term_id' | 'device_limit' | 'device_id' | 'device_seen_at'>

const standingOfOptions = `select ${askedAlways}, ${ofDevice}, $2 is null and ${hasBlocked} as has_blocked,
     coalesce((select json_agg(json_build_object('term_id', os.term_id, 'device_limit', os.term_device_limit,
         'device_id', od.id, 'device_seen_at', od.last_seen_at))
       from subscriptions os left join devices od on od.subscription_id = os.id and od.hwid_hash = $3
       where os.term_id = any($4::bigint[])), '[]'::json) as options`
const fromKey = 'from subscriptions s left join devices d on d.subscription_id = s.id and d.hwid_hash = $2'

interface WithOptions extends Standing, Partial<Pick<SubscriptionOwner, 'upload' | 'download'>> {
  readonly options: readonly OfOption[]
}

type ByOptions = [
  keyHash: Uint8Array,
  hwidHash: Uint8Array | null,
  panelHash: Uint8Array | null,
  termIds: readonly number[],
]

/** With options, by their terms; without a device $2 and $3 are null. */
export const standingWithOptions = prepared<ByOptions, WithOptions>(
  `${standingOfOptions} ${fromKey} where s.key_hash = $1`,
)

/** And with the traffic of terms that come last. */
export const standingWithTraffic = prepared<[...ByOptions, counted: readonly number[]], WithOptions>(
  `${standingOfOptions}, m.upload, m.download ${fromKey}
     cross join (select coalesce(sum(up), 0)::bigint as upload, coalesce(sum(down), 0)::bigint as download
       from meters where term_id = any($5::bigint[])) m
   where s.key_hash = $1`,
)

export interface DeliveredConfig extends CarriedConfig {
  readonly term_id: number
  readonly expires_at: number
}

/** Titles in the language of the asking app; $3 is true for English. */
export const listLiveConfigs = prepared<[userId: number, now: number, inEnglish: boolean], DeliveredConfig>(
  `select ${carriedColumns('$3')}, c.term_id, t.expires_at ${carriedFrom}
   where t.user_id = $1 and t.state = 'active' and t.expires_at > $2 and t.paused is null
   order by c.position, c.id`,
)

/**
 * Nodes that were heard of once and are silent since before $1, while a node of the operator's is not: where nobody is heard of,
 * the service itself is at fault.
 */
export const listSilentNodes = prepared<[heardSince: number], { readonly node_id: number }>(
  `select st.node_id from node_status st where st.last_seen_at < $1 and exists (
     select from node_status h where h.last_seen_at >= $1 and (
       not exists (select from machines m where m.node_id = h.node_id)
       or exists (select from clouds c where c.node_id = h.node_id)))`,
)

export interface QuotaRow {
  readonly term_id: number
  readonly used: number
  readonly traffic_limit: number
  readonly period_began_at: number
}

/** What those of these options have carried that may carry only so much. */
export const listQuotas = prepared<[termIds: readonly number[]], QuotaRow>(
  `select o.term_id, ${usageColumns} from ${usageFrom}
   where o.term_id = any($1::bigint[]) and o.traffic_limit > 0 order by o.term_id`,
)
