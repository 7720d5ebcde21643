import { uuidFromHex } from '@sallyport/domain/vpn/endpoint'
import type { Vault } from '../../kernel/vault.ts'

/** Secrets of one item, all derived from its nonce and the key outside the database. */

/** Of 16 bytes. */
type ShortPurpose =
  | 'vless'
  | 'trojan'
  | 'outline'
  | 'hysteria2'
  | 'short-id'
  | 'path'
  | 'proxy-user'
  | 'proxy-password'
  | 'mtproto'
/** Of 32 bytes. A purpose once used keeps its name: another would change every customer's secret. */
type LongPurpose = 'shadowsocks-2022' | 'wg' | 'wg-psk' | 'awg-server' | 'reality'

export class ItemSecrets {
  readonly #vault: Vault
  readonly #nonce: Uint8Array

  constructor(vault: Vault, nonce: Uint8Array) {
    this.#vault = vault
    this.#nonce = nonce
  }

  /** 16 bytes in hex. */
  hex(purpose: ShortPurpose | `${LongPurpose}/${0 | 1}`): string {
    return this.#vault.derive([this.#nonce], purpose)[0] as string
  }

  /** 32 bytes in hex. */
  longHex(purpose: LongPurpose): string {
    return this.hex(`${purpose}/0`) + this.hex(`${purpose}/1`)
  }

  /** 32 bytes in Base64, as WireGuard and Shadowsocks write keys. */
  key(purpose: LongPurpose): string {
    return Buffer.from(this.longHex(purpose), 'hex').toString('base64')
  }

  uuid(): string {
    return uuidFromHex(this.hex('vless'))
  }
}

/** The uuids of many items at once: a call costs more than its blocks. */
export const uuidsOf = (vault: Vault, nonces: readonly Uint8Array[]): string[] =>
  vault.derive(nonces, 'vless').map(uuidFromHex)
