import { appProtocolOf } from '@sallyport/domain/delivery/apps/app'
import type { OfflineChoice } from '@sallyport/domain/delivery/offline'
import { itemPage } from '@sallyport/domain/delivery/page/item-page'
import { subscriptionPage } from '@sallyport/domain/delivery/page/page'
import { platformOf } from '@sallyport/domain/delivery/page/platform'
import type { NoticeLinks, PageStatus, PageView } from '@sallyport/domain/delivery/page/state'
import { saidOfTraffic } from '@sallyport/domain/delivery/page/status-card'
import type { Services } from '../../../core/call.ts'
import type { DeadSet } from '../cache/dead-nodes.ts'
import { memoizeText } from '../cache/memoize.ts'
import type { Settings } from '../cache/settings.ts'
import { Validity } from '../cache/validity.ts'
import type { Delivered, DeliveryReader, DeliveryRequest } from '../entries.ts'
import { titleOf } from '../headers.ts'
import { doesAnswer } from '../offline.ts'
import { findLastEnd, type QuotaRow, type SubscriptionOwner } from '../queries.ts'
import type { CachedPage, MadePage } from './page-cache.ts'
import { linesUntil, listPageLines, quotaOf } from './page-lines.ts'
import type { QuotaReader } from './quotas.ts'

/** What a browser is shown of a subscription. */

export interface PageRequest extends DeliveryRequest {
  readonly settings: Settings
  readonly dead: DeadSet
  /** In the address that the page shows. */
  readonly offline: OfflineChoice
  readonly key: string
  /** Of the subscription, as apps fetch it. */
  readonly address: string
  readonly publicUrl: string
  readonly userAgent: string | undefined
  /** The address names the language. */
  readonly isLanguageNamed: boolean
  /** The entry that is looked at, counted from 1. */
  readonly item: number | undefined
  /** Devices are counted, so that entries are not for a browser. */
  readonly isHidden: boolean
}

const platformNamed = memoizeText(platformOf)

/** Where whoever reads a page goes on to: to a page of the cabinet, unless the operator has a site of their own. */
export const linksOf = (
  { supportUrl, accountUrl, brand }: Settings,
  publicUrl: string,
  page: string,
): NoticeLinks => ({
  cabinetUrl: accountUrl ?? `${publicUrl}${page}`,
  brand,
  ...(supportUrl !== undefined && { supportUrl }),
})

/** In a fragment, which no server is sent and no log keeps. */
const cabinetPageOf = (key: string): string => `/subscription#${encodeURIComponent(key)}`

const viewOf = ({ language, userAgent, isLanguageNamed, settings, offline }: PageRequest): PageView => ({
  language,
  isLanguageNamed,
  offline,
  platform: platformNamed(userAgent),
  apps: settings.apps,
})

/** Something that is paid for and gives nothing yet, such as a machine on its way, has not ended. */
export const statusOf = ({ owner, withheld, now }: DeliveryRequest, { all }: Delivered): PageStatus => {
  if (all.length > 0) return 'active'
  const reasons = [...withheld.values()]
  if (reasons.includes('quota')) return 'limited'
  if (reasons.includes('operator')) return 'disabled'
  return owner.has_terms && (owner.expires_at ?? 0) <= now ? 'expired' : 'empty'
}

/** Whether devices are counted somewhere in it. */
const isCounted = ({ device_limit, block_unknown_devices, options }: SubscriptionOwner): boolean =>
  device_limit > 0 || block_unknown_devices || options.some((option) => option.device_limit > 0)

type PageText = Pick<MadePage, 'text' | 'validUntil'>

/** Of one entry; undefined where there is no such one. */
const pageOfItem = (
  page: PageRequest,
  { live, validUntil }: Delivered,
  item: number,
): PageText | undefined => {
  const one = live[item - 1]
  if (!one) return undefined
  const links = linksOf(page.settings, page.publicUrl, cabinetPageOf(page.key))
  const shown = { ...links, item, endpoint: one.endpoint, isOnline: doesAnswer(one, page.dead) }
  return { text: itemPage(shown, viewOf(page)), validUntil }
}

/** Of everything; where devices are counted a browser, which is none, is not shown the entries. */
const pageOfAll = async (
  { db }: Services,
  page: PageRequest,
  delivered: Delivered,
  quotas: readonly QuotaRow[],
): Promise<PageText> => {
  const { owner, settings, key, address, publicUrl, dead, isHidden, now } = page
  const status = statusOf(page, delivered)
  const lastEnd = status === 'expired' ? await findLastEnd(db, owner.id) : []
  const shown = isHidden ? [] : delivered.live
  const isShown = new Set(shown)
  const things = await listPageLines(db, delivered, quotas, page)
  const text = subscriptionPage(
    {
      ...linksOf(settings, publicUrl, cabinetPageOf(key)),
      title: titleOf(owner, settings),
      address,
      status,
      endedAt: lastEnd[0]?.ended_at ?? null,
      things,
      usedBytes: owner.upload + owner.download,
      deviceLimit: owner.device_limit,
      isClosed: owner.block_unknown_devices,
      needsHwid: settings.refusesUnnamed && isCounted(owner),
      entries: shown.map((one, at) => ({
        item: at + 1,
        title: one.endpoint.title,
        protocol: appProtocolOf(one.endpoint),
        isOnline: doesAnswer(one, dead),
      })),
      hidden: delivered.all
        .filter((live) => !isShown.has(live))
        .map(({ endpoint }) => appProtocolOf(endpoint)),
      now,
    },
    viewOf(page),
  )
  const end =
    owner.expires_at !== null && owner.expires_at > now ? owner.expires_at : Number.POSITIVE_INFINITY
  return { text, validUntil: Math.min(delivered.validUntil, end, linesUntil(things, now)) }
}

/** What is told beside the revision, in the words that it is told in: they change seldom, and traffic all the time. */
const toldOf = ({ owner, language, now }: PageRequest, quotas: readonly QuotaRow[]): string => {
  const { upload, download, device_limit, block_unknown_devices, options } = owner
  const ofOptions = options.map((option) => quotaOf(option, quotas, now))
  const limits = options.map((option) => option.device_limit)
  const said = saidOfTraffic(upload + download, ofOptions, language)
  return `${said} ${device_limit} ${block_unknown_devices} ${limits.join(',')}`
}

export interface PageParts {
  readonly services: Services
  readonly reader: DeliveryReader
  readonly quotas: QuotaReader
}

/** What a page is known by and made of. It holds the key, so that it is kept by that. */
export const cachedPageOf = async (
  { services, reader, quotas: reads }: PageParts,
  page: PageRequest,
  keyName: string,
): Promise<CachedPage> => {
  const { owner, settings, dead, now, item, language, isLanguageNamed, offline, withheld, isHidden } = page
  const isOfItem = item !== undefined
  const quotas = isOfItem ? [] : await reads.of(owner)
  const told = isOfItem ? '' : toldOf(page, quotas)
  const platform = platformNamed(page.userAgent)
  const name = `page ${keyName} ${language} ${isLanguageNamed} ${item} ${offline} ${platform} ${isHidden}`
  return {
    name: withheld.size === 0 ? name : [name, ...[...withheld].flat()].join(' '),
    revision: owner.revision,
    settings,
    dead,
    told,
    now,
    make: async () => {
      const delivered = await reader.read(page)
      const made = isOfItem
        ? pageOfItem(page, delivered, item)
        : await pageOfAll(services, page, delivered, quotas)
      if (!made) return undefined
      const nodes = delivered.live.map(({ node_id }) => node_id)
      return { ...made, validity: new Validity(settings.version, nodes, dead, told) }
    },
  }
}
