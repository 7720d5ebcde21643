import { type CarriedConfig, carriedColumns, carriedFrom } from '../../core/carried.ts'
import { type Db, prepared } from '../../db/client.ts'

export interface SubscriptionOwner {
  readonly user_id: number
  readonly upload: number
  readonly download: number
  /** When the last live configuration ends; null without any. */
  readonly expires_at: number | null
}

export const ownerByHash = prepared<[Uint8Array], SubscriptionOwner>(
  `select u.id as user_id, coalesce(sum(c.traffic_up), 0)::bigint as upload,
     coalesce(sum(c.traffic_down), 0)::bigint as download,
     max(c.expires_at) filter (where c.state = 'active') as expires_at
   from users u left join configs c on c.user_id = u.id and c.state <> 'deleted'
   where u.subscription_key_hash = $1 and not u.is_blocked group by u.id`,
)

export const findOwner = async (db: Db, keyHash: Uint8Array): Promise<SubscriptionOwner | undefined> =>
  (await ownerByHash(db, keyHash))[0]

/** Titles in the language of the asking app; $3 is true for English. */
export const listLiveConfigs = prepared<[userId: number, now: number, inEnglish: boolean], CarriedConfig>(
  `select ${carriedColumns('case when $3 then l.title_en else l.title_ru end')} ${carriedFrom}
   where c.user_id = $1 and c.state = 'active' and c.expires_at > $2 order by c.id`,
)
