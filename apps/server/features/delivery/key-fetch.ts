import type { IncomingHttpHeaders } from 'node:http'
import { readDevice, readFingerprint, readHwid, type ToldDevice } from '@sallyport/domain/delivery/device'
import { hwidHash } from '../../core/accounts/devices/devices.ts'
import { panelHash } from '../../core/accounts/devices/panel-devices.ts'
import type { KeyedHash } from '../../core/kernel/keyed-hash.ts'
import { memoizeText } from './cache/memoize.ts'
import type { Settings } from './cache/settings.ts'

/** By which key, and by which device. */

export class FetchingDevice {
  /** What the app calls it, or what stands for that where it calls it nothing. */
  readonly hwid: string
  readonly isFingerprint: boolean
  /** What it is known by under this key. */
  readonly hash: Uint8Array
  readonly #hashOf: KeyedHash
  #panelHash: Uint8Array | undefined

  constructor(hashOf: KeyedHash, keyHash: Uint8Array, hwid: string, isFingerprint: boolean) {
    this.hwid = hwid
    this.isFingerprint = isFingerprint
    this.hash = hwidHash(hashOf, keyHash, hwid)
    this.#hashOf = hashOf
  }

  /** What it is known by in options, which not everybody has. */
  get panelHash(): Uint8Array {
    this.#panelHash ??= panelHash(this.#hashOf, this.hwid)
    return this.#panelHash
  }

  /** What operators find it by: what they may have been told. */
  get foundBy(): Uint8Array | undefined {
    return this.isFingerprint ? undefined : this.panelHash
  }
}

/** A key that somebody fetches by, and with what. */
export interface KeyFetch {
  readonly key: string
  readonly keyHash: Uint8Array
  /** The same as text, to look things up by. */
  readonly keyName: string
  /** Null of a browser, which is none. */
  readonly device: FetchingDevice | null
  readonly headers: IncomingHttpHeaders
  readonly now: number
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined

/** Headers hold no line breaks. */
const fingerprints = memoizeText((said = '') => {
  const [os, userAgent] = said.split('\n')
  return readFingerprint({ os, userAgent })
})

/** Browsers name no device and are none. */
export const readFetchingDevice = (
  hashOf: KeyedHash,
  keyHash: Uint8Array,
  headers: IncomingHttpHeaders,
  isBrowser: boolean,
): FetchingDevice | null => {
  const hwid = readHwid(textOf(headers['x-hwid']))
  if (hwid !== undefined) return new FetchingDevice(hashOf, keyHash, hwid, false)
  if (isBrowser) return null
  const fingerprint = fingerprints(`${textOf(headers['x-device-os']) ?? ''}\n${headers['user-agent'] ?? ''}`)
  return new FetchingDevice(hashOf, keyHash, fingerprint, true)
}

/** Where the operator wants devices to be named, one that is not is nobody's. */
export const withNamesWanted = (fetch: KeyFetch, { refusesUnnamed }: Settings): KeyFetch =>
  refusesUnnamed && fetch.device?.isFingerprint ? { ...fetch, device: null } : fetch

/** What the device says of itself. */
export const toldBy = (headers: IncomingHttpHeaders): ToldDevice =>
  readDevice({
    os: textOf(headers['x-device-os']),
    osVersion: textOf(headers['x-ver-os']),
    model: textOf(headers['x-device-model']),
    userAgent: headers['user-agent'],
  })
