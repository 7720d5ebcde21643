import { createCipheriv, hkdfSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { Vault } from './vault.ts'

const master = Buffer.alloc(32, 7)
const vault = new Vault(master)

test('what is sealed opens in its own field only, and not when touched', () => {
  const sealed = vault.seal('секрет', 'users.subscription_key')
  expect(vault.open(sealed, 'users.subscription_key')).toBe('секрет')
  expect(sealed.includes('секрет')).toBe(false)
  expect(() => vault.open(sealed, 'inbounds.secret')).toThrow()
  for (let at = 0; at < sealed.length; at++) {
    const touched = Buffer.from(sealed)
    touched[at] = (touched[at] as number) ^ 1
    expect(() => vault.open(touched, 'users.subscription_key')).toThrow()
  }
  expect(() => new Vault(Buffer.alloc(32, 8)).open(sealed, 'users.subscription_key')).toThrow()
})

test('derived credentials are one AES block under a key of the purpose, the same every time', () => {
  const key = Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), 'sallyport/credentials/vless', 32))
  const block = (nonce: Buffer) =>
    createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(nonce, undefined, 'hex')
  const nonces = [0, 1, 255, 1].map((fill) => Buffer.alloc(16, fill))
  expect(vault.derive(nonces, 'vless')).toEqual(nonces.map(block))
  expect(vault.derive(nonces.slice(2), 'vless')).toEqual(nonces.slice(2).map(block))
  expect(vault.derive(nonces, 'trojan')).not.toContain(block(Buffer.alloc(16)))
  expect(vault.derive([], 'vless')).toEqual([])
  expect(() => vault.derive([Buffer.alloc(15)], 'vless')).toThrow('16 bytes')
})
