import type { Endpoint } from '../../vpn/endpoint.ts'
import type { App, AppProtocol, Platform } from '../apps/app.ts'
import type { DeviceRefusal } from '../device.ts'
import type { Language } from '../language.ts'
import { type OfflineChoice, offlineQuery, usualOfflineChoice } from '../offline.ts'

/** What the pages are made of. */

export const pageStatuses = ['active', 'expired', 'limited', 'empty', 'refused'] as const
/** Limited: the traffic is used up. Empty: nothing was bought yet. Refused: the device may not have it. */
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

/** Of one option. */
export interface Quota {
  readonly title: string
  readonly usedBytes: number
  readonly limitBytes: number
  /** Unix seconds of the day when the traffic is counted anew. */
  readonly refillsAt: number
}

export interface PageState extends NoticeLinks {
  readonly title: string
  /** What apps fetch. */
  readonly address: string
  readonly status: PageStatus
  /** Why, when the status is refused. */
  readonly refusal?: DeviceRefusal
  /** Unix seconds; null without an end. */
  readonly expiresAt: number | null
  /** By everything together. */
  readonly usedBytes: number
  /** What carries only so much. */
  readonly quotas: readonly Quota[]
  /** There is something besides that carries as much as one likes. */
  readonly hasUnlimited: boolean
  /** Devices are limited, so that apps must name theirs. */
  readonly needsHwid: boolean
  readonly entries: readonly PageEntry[]
  /** Unix seconds. */
  readonly now: number
}

export interface PageView {
  readonly language: Language
  /** The address names the language, so that links to other pages name it too. */
  readonly isLanguageAsked?: boolean
  /** The visitor's own, whose block stands open. */
  readonly platform: Platform | undefined
  readonly apps: readonly App[]
  /** What apps that fetch the shown address do about servers that do not answer. */
  readonly offline?: OfflineChoice
}

/** A page of this same address: a query alone, so that the key stays out of it. */
export const pageLink = (
  view: Pick<PageView, 'language' | 'isLanguageAsked' | 'offline'>,
  item?: number,
): string => {
  const { language, isLanguageAsked, offline = usualOfflineChoice } = view
  const parts = [
    'format=page',
    item === undefined ? '' : `item=${item}`,
    offlineQuery(offline),
    isLanguageAsked ? `lang=${language}` : '',
  ]
  return `?${parts.filter((part) => part !== '').join('&')}`
}

export interface ItemState extends Omit<NoticeLinks, 'cabinetUrl'> {
  readonly item: number
  readonly endpoint: Endpoint
  readonly isOnline: boolean
}
