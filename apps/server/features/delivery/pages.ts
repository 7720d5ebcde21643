import { appProtocolOf } from '@sallyport/domain/delivery/apps/app'
import type { DeviceRefusal } from '@sallyport/domain/delivery/device'
import type { OfflineChoice } from '@sallyport/domain/delivery/offline'
import { itemPage } from '@sallyport/domain/delivery/page/item-page'
import { refusedPage } from '@sallyport/domain/delivery/page/notice-page'
import { subscriptionPage } from '@sallyport/domain/delivery/page/page'
import { platformOf } from '@sallyport/domain/delivery/page/platform'
import type { NoticeLinks, PageState, PageView, Quota } from '@sallyport/domain/delivery/page/state'
import { periodAt, trafficPeriodSeconds } from '@sallyport/domain/lifecycle/option-status'
import type { Services } from '../../core/call.ts'
import { type Asked, type Delivered, readDelivered } from './entries.ts'
import { titleOf } from './headers.ts'
import type { DeadSet } from './keeping/dead-nodes.ts'
import type { Settings } from './keeping/settings.ts'
import { findLastEnd, listQuotas, type QuotaRow, type SubscriptionOwner } from './queries.ts'

/** What a browser is shown of a subscription. */

export interface Visit extends Asked {
  readonly settings: Settings
  readonly dead: DeadSet
  /** In the address that the page shows. */
  readonly offline: OfflineChoice
  /** Of the subscription, as apps fetch it. */
  readonly address: string
  readonly publicUrl: string
  readonly userAgent: string | undefined
  /** The address names the language. */
  readonly isLanguageAsked: boolean
  /** The entry that is looked at, counted from 1. */
  readonly item: number | undefined
}

/** Where whoever reads a page goes on to. */
export const linksOf = ({ supportUrl, brand }: Settings, publicUrl: string): NoticeLinks => ({
  cabinetUrl: publicUrl,
  brand,
  ...(supportUrl !== undefined && { supportUrl }),
})

/** Before it is known what there is to see. */
type Arrival = Omit<Visit, 'withheld' | 'item' | 'dead'>

const viewOf = ({ language, userAgent, isLanguageAsked, settings, offline }: Arrival): PageView => ({
  language,
  isLanguageAsked,
  offline,
  platform: platformOf(userAgent),
  apps: settings.apps,
})

/**
 * Something that is paid for and gives nothing yet, such as a machine on its way, has not ended. What counts devices is not
 * shown to a browser, which never names its own, but to the right apps.
 */
const statusOf = (
  { owner, withheld, now }: Visit,
  { live }: Delivered,
): Pick<PageState, 'status' | 'refusal'> => {
  const reasons = [...withheld.values()]
  if (live.length > 0) return { status: 'active' }
  if (reasons.includes('no_hwid')) return { status: 'refused', refusal: 'no_hwid' }
  if (reasons.includes('quota')) return { status: 'limited' }
  return { status: owner.has_terms && (owner.expires_at ?? 0) <= now ? 'expired' : 'empty' }
}

const idsOf = ({ options }: SubscriptionOwner): number[] => options.map(({ term_id }) => term_id)

const toQuota =
  ({ owner, language, now }: Visit) =>
  ({ term_id, used, traffic_limit, period_began_at }: QuotaRow): Quota => {
    const option = owner.options.find((one) => one.term_id === term_id)
    return {
      title: (language === 'en' ? option?.title_en : option?.title_ru) ?? '',
      usedBytes: used,
      limitBytes: traffic_limit,
      refillsAt: periodAt(period_began_at, now) + trafficPeriodSeconds,
    }
  }

const sharedState = ({ owner, settings, address, publicUrl, now }: Arrival) => ({
  ...linksOf(settings, publicUrl),
  title: titleOf(owner, settings),
  address,
  expiresAt: owner.expires_at,
  usedBytes: owner.upload + owner.download,
  needsHwid: owner.device_limit > 0 || owner.block_unknown_devices,
  now,
})

/** Nothing but why; to a browser, which never names its device, also the apps that do. */
export const pageOfRefusal = (visit: Arrival, reason: DeviceRefusal): string => {
  const { language, publicUrl, settings } = visit
  if (reason !== 'no_hwid') return refusedPage(reason, linksOf(settings, publicUrl), language)
  const nothing = { entries: [], quotas: [], hasUnlimited: false }
  const state = { ...sharedState(visit), ...nothing, status: 'refused', refusal: reason } as const
  return subscriptionPage(state, viewOf(visit))
}

/** Undefined where there is no such entry. */
export const pageOf = async (services: Services, visit: Visit): Promise<string | undefined> => {
  const { item, settings, publicUrl, dead } = visit
  const delivered = await readDelivered(services, visit)
  const view = viewOf(visit)
  if (item !== undefined) {
    const one = delivered.live[item - 1]
    if (!one) return undefined
    const links = linksOf(settings, publicUrl)
    return itemPage({ ...links, item, endpoint: one.endpoint, isOnline: !dead.has(one.node_id) }, view)
  }
  const quotas = await listQuotas(services.db, idsOf(visit.owner))
  const limited = new Set(quotas.map(({ term_id }) => term_id))
  const status = statusOf(visit, delivered)
  const lastEnd = status.status === 'expired' ? await findLastEnd(services.db, visit.owner.id) : []
  return subscriptionPage(
    {
      ...sharedState(visit),
      ...(lastEnd[0] && { expiresAt: lastEnd[0].ended_at }),
      ...status,
      quotas: quotas.map(toQuota(visit)),
      hasUnlimited: [...delivered.terms].some((term) => !limited.has(term)),
      entries: delivered.live.map(({ endpoint, node_id }, at) => ({
        item: at + 1,
        title: endpoint.title,
        protocol: appProtocolOf(endpoint),
        isOnline: !dead.has(node_id),
      })),
    },
    view,
  )
}
