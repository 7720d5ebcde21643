import { appProtocolOf } from '@sallyport/domain/delivery/apps/app'
import { catalogue } from '@sallyport/domain/delivery/apps/catalogue'
import type { DeviceRefusal } from '@sallyport/domain/delivery/device'
import type { Language } from '@sallyport/domain/delivery/language'
import { itemPage } from '@sallyport/domain/delivery/page/item-page'
import { refusedPage } from '@sallyport/domain/delivery/page/notice-page'
import { subscriptionPage } from '@sallyport/domain/delivery/page/page'
import { platformOf } from '@sallyport/domain/delivery/page/platform'
import type { PageStatus, PageView } from '@sallyport/domain/delivery/page/state'
import type { Services } from '../../core/call.ts'
import { type Asked, type Delivered, readDelivered } from './entries.ts'
import { titleOf } from './headers.ts'
import { listOnline } from './queries.ts'

/** What a browser is shown of a subscription. */

export interface Visit extends Asked {
  /** Of the subscription, as apps fetch it. */
  readonly address: string
  readonly publicUrl: string
  readonly userAgent: string | undefined
  /** The address names the language. */
  readonly isLanguageAsked: boolean
  /** The entry that is looked at, counted from 1. */
  readonly item: number | undefined
}

const viewOf = (language: Language, userAgent: string | undefined, isLanguageAsked: boolean): PageView => ({
  language,
  isLanguageAsked,
  platform: platformOf(userAgent),
  apps: catalogue,
})

const statusOf = ({ owner, withheld }: Visit, { live }: Delivered): PageStatus => {
  if (live.length > 0) return 'active'
  if ([...withheld.values()].includes('quota')) return 'limited'
  return owner.has_terms ? 'expired' : 'empty'
}

const sharedState = ({ owner, address, publicUrl, now }: Omit<Visit, 'withheld' | 'item'>) => ({
  title: titleOf(owner),
  address,
  expiresAt: owner.expires_at,
  usedBytes: owner.upload + owner.download,
  limitBytes: null,
  needsHwid: owner.device_limit > 0 || owner.block_unknown_devices,
  cabinetUrl: publicUrl,
  now,
})

/** Nothing but why; to a browser, which never names its device, also the apps that do. */
export const pageOfRefusal = (visit: Omit<Visit, 'withheld' | 'item'>, reason: DeviceRefusal): string => {
  const { language, publicUrl, userAgent, isLanguageAsked } = visit
  if (reason !== 'no_hwid') return refusedPage(reason, { cabinetUrl: publicUrl }, language)
  const state = { ...sharedState(visit), status: 'refused', refusal: reason, entries: [] } as const
  return subscriptionPage(state, viewOf(language, userAgent, isLanguageAsked))
}

/** Undefined where there is no such entry. */
export const pageOf = async (services: Services, visit: Visit): Promise<string | undefined> => {
  const { language, now, item } = visit
  const delivered = await readDelivered(services, visit)
  const nodeIds = delivered.live.map(({ node_id }) => node_id)
  const online = await listOnline(services.db, nodeIds, now)
  const view = viewOf(language, visit.userAgent, visit.isLanguageAsked)
  if (item !== undefined) {
    const one = delivered.live[item - 1]
    return one && itemPage({ item, endpoint: one.endpoint, isOnline: online.has(one.node_id) }, view)
  }
  return subscriptionPage(
    {
      ...sharedState(visit),
      status: statusOf(visit, delivered),
      entries: delivered.live.map(({ endpoint, node_id }, at) => ({
        item: at + 1,
        title: endpoint.title,
        protocol: appProtocolOf(endpoint),
        isOnline: online.has(node_id),
      })),
    },
    view,
  )
}
