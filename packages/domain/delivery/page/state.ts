import type { Language } from '../../text/language.ts'
import type { Endpoint } from '../../vpn/endpoint.ts'
import type { App, AppProtocol, Platform } from '../apps/app.ts'
import { type OfflineChoice, offlineQuery, usualOfflineChoice } from '../offline.ts'

/** What the pages are made of. */

export const pageStatuses = ['active', 'expired', 'limited', 'disabled', 'empty'] as const
/** Limited: the traffic is used up. Disabled: by the operator. Empty: nothing was bought yet. */
export type PageStatus = (typeof pageStatuses)[number]

export interface NoticeLinks {
  readonly cabinetUrl: string
  readonly supportUrl?: string
  /** Whose page it is; the usual name without it. */
  readonly brand?: string
}

export interface PageEntry {
  /** Names it in `?item=`. */
  readonly item: number
  readonly title: string
  readonly protocol: AppProtocol
  readonly isOnline: boolean
}

export interface Quota {
  readonly usedBytes: number
  readonly limitBytes: number
  /** Unix seconds of the day when the traffic is counted anew; null when it ends before that. */
  readonly refillsAt: number | null
}

/** Something that was bought for a time of its own. */
export interface Thing {
  readonly title: string
  /** Unix seconds. */
  readonly expiresAt: number
  /** Why it is switched off though it has not ended. */
  readonly paused: 'quota' | 'operator' | null
  /** Null of what carries as much as one likes. */
  readonly quota: Quota | null
  /** How many devices may have it; 0 means any number. */
  readonly deviceLimit: number
}

export interface PageState extends NoticeLinks {
  readonly title: string
  /** What apps fetch. */
  readonly address: string
  readonly status: PageStatus
  /** When the last of it ended, of what has; Unix seconds, null where that is not known. */
  readonly endedAt: number | null
  /** What there is, the first to end first. */
  readonly things: readonly Thing[]
  /** By everything together. */
  readonly usedBytes: number
  /** How many devices may have the subscription; 0 means any number. */
  readonly deviceLimit: number
  /** New devices are refused. */
  readonly isClosed: boolean
  /** Devices are limited, and apps must name theirs. */
  readonly needsHwid: boolean
  readonly entries: readonly PageEntry[]
  /** What only apps are shown, because devices are counted there; a browser is none. */
  readonly hidden: readonly AppProtocol[]
  /** Unix seconds. */
  readonly now: number
}

export interface PageView {
  readonly language: Language
  /** The address names the language, so that links to other pages name it too. */
  readonly isLanguageNamed?: boolean
  /** The visitor's own, whose block stands open. */
  readonly platform: Platform | undefined
  readonly apps: readonly App[]
  /** What apps that fetch the shown address do about servers that do not answer. */
  readonly offline?: OfflineChoice
}

/** A page of this same address: a query alone, so that the key stays out of it. */
export const pageLink = (
  view: Pick<PageView, 'language' | 'isLanguageNamed' | 'offline'>,
  item?: number,
): string => {
  const { language, isLanguageNamed, offline = usualOfflineChoice } = view
  const parts = [
    'format=page',
    item === undefined ? '' : `item=${item}`,
    offlineQuery(offline),
    isLanguageNamed ? `lang=${language}` : '',
  ]
  return `?${parts.filter((part) => part !== '').join('&')}`
}

export interface ItemState extends Omit<NoticeLinks, 'cabinetUrl'> {
  readonly item: number
  readonly endpoint: Endpoint
  readonly isOnline: boolean
}
