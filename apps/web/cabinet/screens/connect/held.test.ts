import { expect, test } from 'vitest'
import { heldIn } from './held.ts'

const server = (protocol: 'vless' | 'amnezia-wg-2') => ({
  protocol,
  host: '203.0.113.10',
  port: 443,
  transport: 'tcp' as const,
  security: 'none' as const,
})
const config = {
  item_type: 'user_config',
  item_reference_id: 7,
  is_valid: true,
  server_config: server('vless'),
} as const
const option = {
  item_type: 'paid_option',
  item_reference_id: 1,
  is_valid: true,
  server_config: null,
} as const

test('a link of one connection holds that one and its protocol, as apps call it', () => {
  const held = heldIn([config])
  expect([held.carries('vless'), held.carries('amneziawg')]).toEqual([true, false])
  expect([held.hasConfig(7), held.hasConfig(8), held.hasOptionConfig(1, 7)]).toEqual([true, false, false])
})

test('what is in a whole pack is not told, and may be anything', () => {
  const held = heldIn([config, option])
  expect(held.carries('amneziawg')).toBe(true)
  expect([held.hasOptionConfig(1, 99), held.hasOptionConfig(2, 99)]).toEqual([true, false])
})

test('what is not delivered is not held', () => {
  const held = heldIn([{ ...config, is_valid: false }])
  expect([held.carries('vless'), held.hasConfig(7)]).toEqual([false, false])
})
