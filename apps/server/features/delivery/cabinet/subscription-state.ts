import type { delivery } from '@sallyport/contract/customer/delivery'
import type { DataOf } from '@sallyport/contract/operation'
import { refuseUnknownKey } from '../../../core/accounts/subscription-keys.ts'
import type { Call, Services } from '../../../core/call.ts'
import { sha256 } from '../../../core/kernel/vault.ts'
import type { Db } from '../../../db/client.ts'
import type { Withheld } from '../admission/refusal.ts'
import { listPageLines } from '../browser/page-lines.ts'
import { statusOf } from '../browser/subscription-page.ts'
import { SettingsCache } from '../cache/settings.ts'
import { DeliveryReader } from '../entries.ts'
import { titleOf } from '../headers.ts'
import { textsOf } from '../owner-texts.ts'
import { findLastEnd, ownersByHash, type SubscriptionOwner } from '../queries.ts'

/** What the page of a subscription shows, as data: no entries, no address, nothing of the account. */

/** More than a page of 8 KB holds. */
const mostItems = 50

interface Parts {
  readonly settings: SettingsCache
  readonly reader: DeliveryReader
}

const kept = new WeakMap<Db, Parts>()

/** One for the service, because they remember what everybody has in common. */
const partsOf = (services: Services): Parts => {
  const parts = kept.get(services.db) ?? {
    settings: new SettingsCache(services.db),
    reader: new DeliveryReader(services),
  }
  kept.set(services.db, parts)
  return parts
}

/** As a browser finds it, which is no device. */
const findOwner = async (db: Db, key: string, now: number): Promise<SubscriptionOwner | undefined> => {
  const [row] = await ownersByHash(db, [sha256(key)], [null], [null], [now])
  return row && { ...row, texts: textsOf(row) }
}

const endOf = async (db: Db, { id, expires_at }: SubscriptionOwner): Promise<number | null> =>
  expires_at ?? (await findLastEnd(db, id))[0]?.ended_at ?? null

export const stateByKey = async (
  call: Call<typeof delivery.showSubscriptionState>,
  key: string,
): Promise<DataOf<typeof delivery.showSubscriptionState>> => {
  const { db, language, now } = call
  const owner = (await findOwner(db, key, now)) ?? (await refuseUnknownKey(call))
  const { settings: cache, reader } = partsOf(call)
  const settings = await cache.of(owner.settings_version)
  const paused = owner.options.flatMap(({ term_id, paused }): [number, Withheld][] =>
    paused === null ? [] : [[term_id, paused]],
  )
  const asked = { owner, language, withheld: new Map(paused), now }
  const delivered = await reader.read(asked)
  const lines = await listPageLines(db, delivered, [], asked)
  return {
    title: titleOf(owner, settings),
    status: statusOf(asked, delivered),
    expires_at: await endOf(db, owner),
    items: lines
      .slice(0, mostItems)
      .map(({ title, expiresAt, paused: why }) => ({ title, expires_at: expiresAt, paused: why })),
    support_url: settings.supportUrl ?? null,
    account_url: settings.accountUrl ?? null,
  }
}
