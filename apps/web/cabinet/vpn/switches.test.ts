import { protocols, type SwitchName, switchNames } from '@sallyport/contract/shapes'
import { switchProblems, wholeTrafficLocationId } from '@sallyport/domain/vpn/switch-rules'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasSwitches, moved, obstacleOf, switched, switches } from './switches.ts'

const vless = { protocol: 'vless', locationId: 1 } as const

test('every option of the contract can be switched', () => {
  expect([...switches].sort()).toEqual([...switchNames].sort())
})

describe('switching one', () => {
  test('brings what it needs', () => {
    expect(switched(vless, [], 'use_warp', true)).toEqual({
      on: ['use_extended_settings', 'use_warp'],
      added: ['use_extended_settings'],
      dropped: [],
    })
  })
  test('puts off what does not go with it', () => {
    const on: SwitchName[] = ['use_extended_settings', 'use_xhttp', 'use_warp']
    expect(switched(vless, on, 'use_grpc', true)).toEqual({
      on: ['use_extended_settings', 'use_grpc', 'use_warp'],
      added: [],
      dropped: ['use_xhttp'],
    })
  })
  test('takes along what cannot stay without it', () => {
    const on: SwitchName[] = ['use_extended_settings', 'use_warp', 'disable_sni']
    expect(switched(vless, on, 'use_extended_settings', false)).toEqual({
      on: ['disable_sni'],
      added: [],
      dropped: ['use_warp'],
    })
  })
  test('is refused where the place cannot carry it', () => {
    expect(switched({ protocol: 'vless-2410', locationId: 1 }, [], 'change_sni', true)).toBeUndefined()
    expect(switched(vless, [], 'pass_all_traffic_through_vpn', true)).toBeUndefined()
  })
  test('never leaves a choice that the service would refuse', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom(...switchNames), fc.boolean()), { maxLength: 12 })
    const places = fc.record({
      protocol: fc.constantFrom(...protocols),
      locationId: fc.constantFrom(1, wholeTrafficLocationId),
    })
    fc.assert(
      fc.property(places, places, steps, (before, after, presses) => {
        let on: readonly SwitchName[] = []
        for (const [name, isOn] of presses) on = switched(before, on, name, isOn)?.on ?? on
        const problemsOf = (place: typeof before, names: readonly SwitchName[]) =>
          switchProblems({ ...place, options: Object.fromEntries(names.map((name) => [name, true])) })
        expect(problemsOf(before, on)).toEqual([])
        expect(problemsOf(after, moved(after, on).on)).toEqual([])
      }),
    )
  })
})

test('another protocol drops what it cannot carry', () => {
  const on: SwitchName[] = ['use_extended_settings', 'change_sni', 'use_warp']
  expect(moved({ protocol: 'vless-2410', locationId: 1 }, on).dropped).toEqual(['change_sni'])
  expect(moved({ protocol: 'wg', locationId: 1 }, on).on).toEqual([])
})

test('says what stands in the way', () => {
  expect(obstacleOf(vless, 'use_warp')).toBeUndefined()
  expect(obstacleOf({ ...vless, protocol: 'vless-2410' }, 'change_sni')).toBe('protocol')
  expect(obstacleOf(vless, 'pass_all_traffic_through_vpn')).toBe('location')
  expect(
    obstacleOf(
      { protocol: 'vless-2410', locationId: wholeTrafficLocationId },
      'pass_all_traffic_through_vpn',
    ),
  ).toBe('protocol')
})

test('only the protocols that have them', () => {
  expect(protocols.filter(hasSwitches)).toEqual(['vless', 'vless-2410'])
})
