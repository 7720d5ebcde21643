import type { Protocol, ProxyProtocol } from '@sallyport/contract/shapes'
import type { Arrangement } from '@sallyport/domain/delivery/apps/arrange'
import { prepared } from '../../../db/client.ts'

export interface Held {
  readonly protocols: readonly (Protocol | ProxyProtocol)[]
  /** Devices are counted somewhere, and apps must name theirs. */
  readonly needs_hwid: boolean
  /** As the operator arranged them; null as the catalogue comes. */
  readonly apps: Arrangement | null
}

/** What decides which apps an account is offered; what is paused comes back, and needs its app then. */
export const findHeld = prepared<[userId: number, now: number], Held>(
  `select d.apps, array(select distinct c.protocol from terms t join accesses c on c.term_id = t.id
       where t.user_id = $1 and t.state = 'active' and t.expires_at > $2 and c.beside_id is null order by 1) as protocols,
     d.unnamed_devices = 'refuse' and exists (select from subscriptions s left join terms t on t.id = s.term_id
       where s.user_id = $1 and (s.kind = 'account' and (s.device_limit > 0 or s.block_unknown_devices)
         or s.kind = 'paid_option' and s.term_device_limit > 0 and t.state = 'active' and t.expires_at > $2)) as needs_hwid
   from delivery_settings d`,
)

export const findArrangement = prepared<[], Pick<Held, 'apps'>>('select apps from delivery_settings')
