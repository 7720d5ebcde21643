import type { DeviceSettings } from '@sallyport/domain/delivery/device'
import { resolvedTerms } from '../../core/custom-subscriptions/resolve-items.ts'
import { isOperatorsOwn } from '../../core/fleet/node-owners.ts'
import { shownSum } from '../../core/fleet/traffic-plausibility.ts'
import { usageColumns, usageFrom } from '../../core/options/traffic-usage.ts'
import type { Pause } from '../../core/terms/terms.ts'
import { prepared } from '../../db/client.ts'
import type { OwnerTexts } from './owner-texts.ts'

export interface OwnerRow extends DeviceSettings {
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
  /** Asked only for a browser, and where apps that name no device are turned away. */
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

const isNamingWanted = "(select unnamed_devices from delivery_settings) = 'refuse'"

type OwnerParameters = [
  keyHashes: readonly Uint8Array[],
  hwidHashes: readonly (Uint8Array | null)[],
  panelHashes: readonly (Uint8Array | null)[],
  nows: readonly number[],
]

/** `ofCustom` says which terms are those of a custom subscription; traffic is that of `meters`, where it is joined. */
const selectOwners = (ofCustom: (term: string) => string, traffic: string, meters: string): string =>
  `select a.at, s.id, s.user_id, s.kind, s.title, s.revision, (select version from delivery_settings) as settings_version,
     exists (select from subscription_templates p where p.subscription_id = s.id and p.is_enabled) as is_template_enabled,
     s.block_unknown_devices, s.device_limit, d.id as device_id, d.is_blocked as is_device_blocked, d.last_seen_at as device_seen_at,
     ${traffic},
     coalesce(array_agg(distinct t.id) filter (where t.id is not null), '{}') as counted,
     max(t.expires_at) filter (where t.state = 'active') as expires_at,
     count(t.id) > 0 as has_terms, coalesce(bool_or(t.product = 'cloud_servers'), false) as has_machines,
     (a.hwid_hash is null or ${isNamingWanted}) and exists (select from devices b
       where b.subscription_id = s.id and b.is_blocked) as has_blocked,
     coalesce((select json_agg(json_build_object('term_id', o.id, 'subscription_id', os.id, 'title_ru', p.title_ru,
         'title_en', p.title_en, 'device_limit', os.term_device_limit, 'paused', o.paused,
         'expires_at', o.expires_at, 'device_id', od.id, 'device_seen_at', od.last_seen_at) order by o.id)
       from terms o join paid_options p on p.id = o.product_id join subscriptions os on os.term_id = o.id
       left join devices od on od.subscription_id = os.id and od.hwid_hash = a.panel_hash
       where o.user_id = s.user_id and o.product = 'paid_options' and o.state = 'active' and o.expires_at > a.now
         and ${ofCustom('o.id')}),
     '[]'::json) as options
   from unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bigint[]) with ordinality a (key_hash, hwid_hash, panel_hash, now, at)
     join subscriptions s on s.key_hash = a.key_hash join users u on u.id = s.user_id
     left join devices d on d.subscription_id = s.id and d.hwid_hash = a.hwid_hash
     left join terms t on t.user_id = s.user_id and t.state <> 'deleted' and ${ofCustom('t.id')}
     ${meters}
   where not u.is_blocked group by a.at, a.hwid_hash, a.panel_hash, a.now, s.id, d.id`

const summed = `${shownSum('m.up')} as upload, ${shownSum('m.down')} as download`

/** Whose keys these are, and what is known of the devices, in one round trip; without a device its hashes are null. */
export const ownersByHash = prepared<OwnerParameters, OwnerRow & { readonly at: number }>(
  selectOwners(
    (term) => `(s.kind <> 'custom' or ${term} in (${resolvedTerms}))`,
    summed,
    'left join meters m on m.term_id = t.id',
  ),
)

/** The same at half the cost, of subscriptions that are no custom ones and whose traffic is known. */
export const changedOwnersByHash = prepared<OwnerParameters, OwnerRow & { readonly at: number }>(
  selectOwners(() => "s.kind <> 'custom'", '0 as upload, 0 as download', ''),
)

/** What machines are called, by their terms. */
export const listMachineNames = prepared<
  [termIds: readonly number[]],
  { readonly term_id: number; readonly id: number; readonly hostname: string | null }
>('select term_id, id, hostname from machines where term_id = any($1::bigint[])')

/** When the last of what the subscription had came to its end, for a page that says so. */
export const findLastEnd = prepared<[subscriptionId: number], { readonly ended_at: number | null }>(
  `select max(t.expires_at) as ended_at from subscriptions s join terms t on t.user_id = s.user_id
   where s.id = $1 and t.state <> 'deleted' and (s.kind <> 'custom' or t.id in (${resolvedTerms}))`,
)

/** What is asked at each fetch, also of an owner who is known. Whatever else an owner is raises the revision. */
const askedAlways =
  's.revision, s.block_unknown_devices, s.device_limit, (select version from delivery_settings) as settings_version'
const ofDevice = 'd.id as device_id, d.is_blocked as is_device_blocked, d.last_seen_at as device_seen_at'
/** Not as `exists`, for which PostgreSQL may read all blocked devices that there are. */
const hasBlocked =
  '(select true from devices b where b.subscription_id = s.id and b.is_blocked limit 1) is not null'

export type CurrentState = Pick<
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
export const currentStates = prepared<
  [keyHashes: readonly Uint8Array[], hwidHashes: readonly (Uint8Array | null)[]],
  CurrentState & { readonly at: number }
>(
  `select a.at, ${askedAlways}, ${ofDevice}, (a.hwid_hash is null or ${isNamingWanted}) and ${hasBlocked} as has_blocked
   from unnest($1::bytea[], $2::bytea[]) with ordinality a (key_hash, hwid_hash, at)
     join subscriptions s on s.key_hash = a.key_hash
     left join devices d on d.subscription_id = s.id and d.hwid_hash = a.hwid_hash`,
)

type OfOption = Pick<DeliveredOption, 'term_id' | 'device_limit' | 'device_id' | 'device_seen_at'>

export interface WholeState extends CurrentState {
  /** Null without any. */
  readonly options: readonly OfOption[] | null
  /** Null where nothing is to be summed up, or nothing was carried yet. */
  readonly upload: number | null
  readonly download: number | null
}

/**
 * The same with live options and with traffic, of those who have them. Terms come as one list with the places of those whose they are,
 * because arrays of arrays must be of one length.
 */
export const wholeStates = prepared<
  [
    keyHashes: readonly Uint8Array[],
    hwidHashes: readonly (Uint8Array | null)[],
    optionTerms: readonly number[],
    optionAts: readonly number[],
    panelHashes: readonly (Uint8Array | null)[],
    countedTerms: readonly number[],
    countedAts: readonly number[],
  ],
  WholeState & { readonly at: number }
>(
  `select a.at, ${askedAlways}, ${ofDevice}, (a.hwid_hash is null or ${isNamingWanted}) and ${hasBlocked} as has_blocked,
     o.options, m.upload, m.download
   from unnest($1::bytea[], $2::bytea[]) with ordinality a (key_hash, hwid_hash, at)
     join subscriptions s on s.key_hash = a.key_hash
     left join devices d on d.subscription_id = s.id and d.hwid_hash = a.hwid_hash
     left join (select c.at, json_agg(json_build_object('term_id', c.term_id, 'device_limit', os.term_device_limit,
         'device_id', od.id, 'device_seen_at', od.last_seen_at)) as options
       from unnest($3::bigint[], $4::integer[], $5::bytea[]) c (term_id, at, panel_hash)
         join subscriptions os on os.term_id = c.term_id
         left join devices od on od.subscription_id = os.id and od.hwid_hash = c.panel_hash
       group by c.at) o on o.at = a.at
     left join (select c.at, ${shownSum('m.up')} as upload, ${shownSum('m.down')} as download
       from unnest($6::bigint[], $7::integer[]) c (term_id, at) join meters m on m.term_id = c.term_id
       group by c.at) m on m.at = a.at`,
)

/**
 * Nodes that were heard of once and are silent since before $1, while a node of the operator's is not: where nobody is heard of,
 * the service itself is at fault.
 */
export const listSilentNodes = prepared<[heardSince: number], { readonly node_id: number }>(
  `select st.node_id from node_status st where st.last_seen_at < $1 and exists (
     select from node_status h where h.last_seen_at >= $1 and ${isOperatorsOwn('h.node_id')})`,
)

export interface QuotaRow {
  readonly term_id: number
  readonly used: number
  readonly traffic_limit: number
  readonly period_began_at: number
}

/** What those of these options have carried that may carry only so much, each with the place of whom it is of. */
export const listQuotas = prepared<
  [termIds: readonly number[], ats: readonly number[]],
  QuotaRow & { readonly at: number }
>(
  `select c.at, o.term_id, ${usageColumns} from ${usageFrom}
     join unnest($1::bigint[], $2::integer[]) c (term_id, at) on c.term_id = o.term_id
   where o.traffic_limit > 0 order by o.term_id`,
)
