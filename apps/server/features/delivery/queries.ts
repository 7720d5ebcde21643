import type { DeviceSettings } from '@sallyport/domain/delivery/device'
import { type CarriedConfig, carriedColumns, carriedFrom } from '../../core/vpn/access/carried.ts'
import { type Db, prepared } from '../../db/client.ts'

export interface SubscriptionOwner extends DeviceSettings {
  readonly id: number
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
  `select s.id, s.user_id, s.block_unknown_devices, s.device_limit, d.id as device_id,
     d.is_blocked as is_device_blocked, d.last_seen_at as device_seen_at,
     coalesce(sum(m.up), 0)::bigint as upload, coalesce(sum(m.down), 0)::bigint as download,
     max(t.expires_at) filter (where t.state = 'active') as expires_at,
     $2 is null and exists (select from devices b where b.subscription_id = s.id and b.is_blocked) as has_blocked
   from subscriptions s join users u on u.id = s.user_id
     left join devices d on d.subscription_id = s.id and d.hwid_hash = $2
     left join terms t on t.user_id = s.user_id and t.state <> 'deleted'
     left join meters m on m.term_id = t.id
   where s.key_hash = $1 and not u.is_blocked group by s.id, d.id`,
)

export const findOwner = async (
  db: Db,
  keyHash: Uint8Array,
  hwidHash: Uint8Array | null,
): Promise<SubscriptionOwner | undefined> => (await ownerByHash(db, keyHash, hwidHash))[0]

/** Titles in the language of the asking app; $3 is true for English. */
export const listLiveConfigs = prepared<[userId: number, now: number, inEnglish: boolean], CarriedConfig>(
  `select ${carriedColumns('case when $3 then l.title_en else l.title_ru end')} ${carriedFrom}
   where t.user_id = $1 and t.state = 'active' and t.expires_at > $2 order by c.id`,
)
