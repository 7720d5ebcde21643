import { expect, test } from 'vitest'
import { reachedAnew, settledAnew } from './access.ts'

const before = {
  id: 1,
  connection_url: 'vless://a',
  xray_config: '{}',
  options: ['use_extended_settings', 'use_warp'],
  is_extended_settings_enabled: true,
} as const

test('new credentials leave the options', () => {
  expect(reachedAnew(before, { connection_url: 'vless://b', xray_config: '{"a":1}' })).toEqual({
    ...before,
    connection_url: 'vless://b',
    xray_config: '{"a":1}',
  })
})

test('what another protocol does not have is gone', () => {
  expect(settledAnew(before, { connection_url: 'wg://c', awg_config: '[Interface]' })).toEqual({
    id: 1,
    connection_url: 'wg://c',
    awg_config: '[Interface]',
    is_extended_settings_enabled: false,
  })
})
