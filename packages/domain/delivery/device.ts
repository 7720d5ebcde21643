import { hash } from 'node:crypto'
import type { deviceTypes } from '@sallyport/contract/customer/devices'

/** What an app's headers tell of the device it runs on, and whether that device may have the subscription. */

export type DeviceType = (typeof deviceTypes)[number]

export interface DeviceHeaders {
  readonly os?: string | undefined
  readonly osVersion?: string | undefined
  readonly model?: string | undefined
  readonly userAgent?: string | undefined
}

export interface ToldDevice {
  readonly name: string
  readonly type: DeviceType
  readonly model: string
  readonly osVersion: string
  /** The system in the app's own words. */
  readonly platform: string
}

const hwidShape = /^[A-Za-z0-9=-]{10,64}$/
const maxCharacters = 64
/** Far more than is kept, and little enough to look at. */
const maxHeaderCharacters = 1024

/** What the app calls the device; anything but the usual form counts as absent. */
export const readHwid = (header: string | undefined): string | undefined =>
  header !== undefined && hwidShape.test(header) ? header : undefined

/** Node reads headers as Latin-1, while apps write them in UTF-8. */
const asUtf8 = (header: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(header, (character) => character.charCodeAt(0)),
    )
  } catch {
    return header
  }
}

/** Without characters that cannot be seen or that turn the text around, and short enough for a list. */
const clean = (header: string | undefined): string => {
  const text = (header ?? '').slice(0, maxHeaderCharacters)
  const visible = asUtf8(text)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Cs}\p{Cn}\p{Co}]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return [...visible].slice(0, maxCharacters).join('').trim()
}

/** First match wins: Android calls itself Linux too, and an iPhone is "like Mac OS X". */
const types: readonly [DeviceType, RegExp][] = [
  ['ios', /\b(ios|ipados|tvos|visionos|iphone|ipad|streisand|shadowrocket|sfi|sft)/i],
  ['android', /android|v2rayng|\bsfa\b/i],
  ['windows', /windows|\bwin(32|64|nt)?\b|v2rayn\b/i],
  // Apps of the App Store name the network library alone, and most of them run on phones.
  ['ios', /cfnetwork(?!.*mac)/i],
  ['macos', /\bmac|darwin|\bos ?x\b|\bsfm\b/i],
  ['linux', /linux|ubuntu|debian|fedora|\barch\b/i],
]

const typeIn = (text: string): DeviceType | undefined => types.find(([, pattern]) => pattern.test(text))?.[0]

/** All before a version, or before what the app says besides. */
const appName = (userAgent: string): string =>
  /^.*?(?=[\s_-]+v?\d[\d.]*(?:[\s/(;,+-]|$)|\s*[/(;,]|$)/i.exec(userAgent)?.[0] ?? ''

/** The app and its version, without what it says besides. */
export const readApp = (userAgent: string | undefined): string =>
  /^[^(;,]*/.exec(clean(userAgent))?.[0].trim() || 'unknown'

const readType = (os: string, userAgent: string): DeviceType => typeIn(os) ?? typeIn(userAgent) ?? 'linux'

export const readDevice = (headers: DeviceHeaders): ToldDevice => {
  const os = clean(headers.os)
  const osVersion = clean(headers.osVersion)
  const model = clean(headers.model)
  const userAgent = (headers.userAgent ?? '').slice(0, maxHeaderCharacters)
  const type = readType(os, userAgent)
  const name = model || appName(clean(userAgent)) || type
  return { name, type, model, osVersion, platform: os || type }
}

/**
 * What is the same of an app whenever it asks, whatever its version, such as "v2rayng_android": by this it is known where it names
 * no device. No identifier looks like it.
 */
export const readFingerprint = ({ os, userAgent }: Pick<DeviceHeaders, 'os' | 'userAgent'>): string => {
  const said = (userAgent ?? '').slice(0, maxHeaderCharacters)
  const name = appName(clean(said)).toLowerCase().replaceAll(' ', '-')
  const isPlain = /^[a-z0-9.-]{1,48}$/.test(name)
  return `${isPlain ? name : hash('sha256', name).slice(0, 32)}_${readType(clean(os), said)}`
}

export interface DeviceSettings {
  readonly block_unknown_devices: boolean
  /** 0 means unlimited. */
  readonly device_limit: number
}

export type DeviceRefusal = 'limit' | 'blocked' | 'unknown' | 'no_hwid'

/** `new` is to be kept first, and served then. */
export type DeviceVerdict = 'served' | 'new' | DeviceRefusal

/** More are not kept: they would fill the database, and nobody looks through them. */
export const mostDevices = 1000

/** Of these, known by what apps say of themselves, which may be anything. */
export const mostFingerprints = 100

/** One that was heard of so lately gives its place among them to nobody: else each fetch under a new name would write. */
export const fingerprintStaysSeconds = 3600

/**
 * A browser, or an app where the operator wants devices to be named. Nothing can be told apart, and a limit or block that silence
 * walks around is none.
 */
export const judgeNameless = (
  { block_unknown_devices, device_limit }: DeviceSettings,
  hasBlocked: boolean,
): 'served' | 'no_hwid' => (block_unknown_devices || device_limit > 0 || hasBlocked ? 'no_hwid' : 'served')

export interface DeviceCounts {
  readonly kept: number
  readonly allowed: number
  /** Of those kept, and when the one of them that is not blocked and was silent longest was last seen. */
  readonly fingerprints: number
  readonly fingerprint_seen_at: number | null
}

export interface Newcomer {
  readonly isFingerprint: boolean
  readonly now: number
}

/** Whether another fingerprint takes the place of one that was silent for long. Blocked ones keep theirs. */
export const isReplacing = (
  { fingerprints, fingerprint_seen_at: seenAt }: DeviceCounts,
  { isFingerprint, now }: Newcomer,
): boolean =>
  isFingerprint &&
  fingerprints >= mostFingerprints &&
  seenAt !== null &&
  seenAt <= now - fingerprintStaysSeconds

/** A device that is not known yet. */
export const judgeUnknown = (
  { block_unknown_devices, device_limit }: DeviceSettings,
  counts: DeviceCounts,
  newcomer: Newcomer,
): DeviceVerdict => {
  if (block_unknown_devices) return 'unknown'
  const isLimited = device_limit > 0
  if (isLimited && counts.allowed >= device_limit) return 'limit'
  const isRoom =
    counts.kept < mostDevices && !(newcomer.isFingerprint && counts.fingerprints >= mostFingerprints)
  if (isRoom || isReplacing(counts, newcomer)) return 'new'
  return isLimited ? 'limit' : 'served'
}
