import type { DeviceSettings } from '@sallyport/domain/delivery/device'
import { type CarriedConfig, carriedColumns, carriedFrom } from '../../core/vpn/carried.ts'
import { type Db, prepared } from '../../db/client.ts'

export interface SubscriptionOwner extends DeviceSettings {
  readonly user_id: number
  readonly upload: number
  readonly download: number
  /** When the last live configuration ends; null without any. */
  readonly expires_at: number | null
  /** The asking device; null when it is not known. */
  readonly device_id: number | null
  readonly is_device_blocked: boolean | null
  readonly device_seen_at: number | null
  /** Asked only for a device that does not say which it is. */
  readonly has_blocked: boolean
}

/** Whose key it is, and what is known of the device, in one round trip; without a device $2 is null. */
export const ownerByHash = prepared<[keyHash: Uint8Array, hwidHash: Uint8Array | null], SubscriptionOwner>(
  `select u.id as user_id, u.block_unknown_devices, u.device_limit, d.id as device_id,
     d.is_blocked as is_device_blocked, d.last_seen_at as device_seen_at,
     coalesce(sum(c.traffic_up), 0)::bigint as upload, coalesce(sum(c.traffic_down), 0)::bigint as download,
     max(c.expires_at) filter (where c.state = 'active') as expires_at,
     $2 is null and exists (select from devices b where b.user_id = u.id and b.is_blocked) as has_blocked
   from users u left join devices d on d.user_id = u.id and d.hwid_hash = $2
     left join configs c on c.user_id = u.id and c.state <> 'deleted'
   where u.subscription_key_hash = $1 and not u.is_blocked group by u.id, d.id`,
)

export const findOwner = async (
  db: Db,
  keyHash: Uint8Array,
  hwidHash: Uint8Array | null,
): Promise<SubscriptionOwner | undefined> => (await ownerByHash(db, keyHash, hwidHash))[0]

/** Titles in the language of the asking app; $3 is true for English. */
export const listLiveConfigs = prepared<[userId: number, now: number, inEnglish: boolean], CarriedConfig>(
  `select ${carriedColumns('case when $3 then l.title_en else l.title_ru end')} ${carriedFrom}
   where c.user_id = $1 and c.state = 'active' and c.expires_at > $2 order by c.id`,
)
