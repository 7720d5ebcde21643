import { expect, test } from 'vitest'
import { relyingPartyOf } from './relying-party.ts'

test.each([
  ['https://vpn.example.com', 'vpn.example.com', 'https://vpn.example.com'],
  ['https://vpn.example.com:8443/cabinet', 'vpn.example.com', 'https://vpn.example.com:8443'],
  ['https://VPN.Example.com:443', 'vpn.example.com', 'https://vpn.example.com'],
  ['https://впн.рф', 'xn--b1awf.xn--p1ai', 'https://xn--b1awf.xn--p1ai'],
  ['http://localhost:8080', 'localhost', 'http://localhost:8080'],
  ['http://shop.localhost', 'shop.localhost', 'http://shop.localhost'],
  ['http://127.0.0.1:8080', 'localhost', 'http://localhost:8080'],
  ['http://127.1.2.3', 'localhost', 'http://localhost'],
  ['http://[::1]:8080', 'localhost', 'http://localhost:8080'],
  ['https://127.0.0.1', 'localhost', 'https://localhost'],
])('passkeys of %s are made for %s', (publicUrl, id, origin) => {
  expect(relyingPartyOf(publicUrl)).toEqual({ id, origin })
})

test.each([
  'http://vpn.example.com',
  'http://127.0.0.1.example.com',
  'http://192.168.0.5:8080',
  'https://203.0.113.7',
  'https://[2001:db8::1]',
  'https://[::ffff:127.0.0.1]',
  'http://localhost.example.com',
  'http://notlocalhost',
])('there are no passkeys at %s', (publicUrl) => {
  expect(relyingPartyOf(publicUrl)).toBeUndefined()
})
