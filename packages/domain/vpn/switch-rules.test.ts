import { type Protocol, protocols, type SwitchName, switchNames } from '@sallyport/contract/shapes'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../test/support/random.ts'
import { carrySwitches, switchProblems } from './switch-rules.ts'

/** The specification's rules again, written the other way round, over all pairs of options. */
const forbiddenPairs = [
  ['use_xhttp', 'disable_flow_reality'],
  ['use_grpc', 'use_xhttp'],
  ['use_grpc', 'disable_flow_reality'],
].map((pair) => pair.toSorted().join('+'))

const free: readonly SwitchName[] = ['use_extended_settings', 'disable_flow_reality', 'disable_sni']

const isAllowed = (protocol: Protocol, chosen: readonly SwitchName[], locationId: number): boolean => {
  const has = (name: SwitchName) => chosen.includes(name)
  const extended = has('use_extended_settings')
  if (
    chosen.length > 1 &&
    chosen.some((a) => chosen.some((b) => forbiddenPairs.includes([a, b].toSorted().join('+'))))
  ) {
    return false
  }
  if (protocol === 'vless-2410' && (has('change_sni') || has('disable_sni'))) return false
  if (!extended && chosen.some((name) => !free.includes(name))) return false
  if (extended && protocol !== 'vless' && protocol !== 'vless-2410') return false
  return !has('pass_all_traffic_through_vpn') || (locationId === 18 && protocol === 'vless')
}

describe.each(
  protocols.flatMap((protocol) => [1, 18].map((location): [Protocol, number] => [protocol, location])),
)('%s in location %i', (protocol, locationId) => {
  const pairs = switchNames.flatMap((a) => switchNames.map((b) => [...new Set([a, b])]))
  const choices: SwitchName[][] = [
    [],
    ...pairs,
    ...pairs.map((pair) => [...pair, 'use_extended_settings' as const]),
  ]

  test('every pair of options, with and without extended settings', () => {
    for (const chosen of choices) {
      const options = Object.fromEntries(chosen.map((name) => [name, true]))
      const problems = switchProblems({ protocol, locationId, options })
      expect(problems.length === 0, `${chosen}: ${JSON.stringify(problems)}`).toBe(
        isAllowed(protocol, chosen, locationId),
      )
      for (const problem of problems) expect(chosen).toContain(problem.path)
    }
  })
})

test('an option sent as false is not chosen', () => {
  const options = Object.fromEntries(switchNames.map((name) => [name, false]))
  expect(switchProblems({ protocol: 'wg', locationId: 1, options })).toEqual([])
})

describe('options that a change does not name', () => {
  const extended: SwitchName[] = ['use_extended_settings']
  const on = (protocol: Protocol, locationId: number, kept: SwitchName[], named: object) => {
    const result = carrySwitches({ protocol, locationId, kept, named })
    if ('problems' in result) return result.problems.map(({ path }) => path)
    return switchNames.filter((name) => result.options[name])
  }
  const carried: [string, Protocol, number, SwitchName[], object, SwitchName[]][] = [
    ['stay', 'vless', 1, [...extended, 'use_grpc'], {}, [...extended, 'use_grpc']],
    ['go off by name', 'vless', 1, [...extended, 'use_warp'], { use_warp: false }, extended],
    ['need not name what they lean on', 'vless', 1, extended, { use_warp: true }, [...extended, 'use_warp']],
    [
      'go off with what they lean on',
      'vless',
      1,
      [...extended, 'use_warp', 'disable_sni'],
      { use_extended_settings: false },
      ['disable_sni'],
    ],
    [
      'give way to one that is named',
      'vless',
      1,
      [...extended, 'use_grpc', 'block_bittorrent'],
      { use_xhttp: true },
      [...extended, 'block_bittorrent', 'use_xhttp'],
    ],
    [
      'give way whichever of the two is named',
      'vless',
      1,
      [...extended, 'disable_flow_reality'],
      { use_grpc: true },
      [...extended, 'use_grpc'],
    ],
    ['go off with the protocol', 'trojan', 1, [...extended, 'use_grpc', 'disable_sni'], {}, ['disable_sni']],
    [
      'go off where the server shows its own name',
      'vless-2410',
      1,
      [...extended, 'change_sni', 'disable_sni', 'use_warp'],
      {},
      [...extended, 'use_warp'],
    ],
    ['go off with the location', 'vless', 1, [...extended, 'pass_all_traffic_through_vpn'], {}, extended],
    [
      'stay with the location',
      'vless',
      18,
      [...extended, 'pass_all_traffic_through_vpn'],
      {},
      [...extended, 'pass_all_traffic_through_vpn'],
    ],
  ]
  test.each(carried)('%s', (_what, protocol, locationId, kept, named, expected) => {
    expect(on(protocol, locationId, kept, named)).toEqual(expected)
    expect(on(protocol, locationId, kept.toReversed(), named)).toEqual(expected)
  })

  const refused: [string, Protocol, number, SwitchName[], object, SwitchName[]][] = [
    ['without what it needs', 'vless', 1, [], { use_grpc: true }, ['use_grpc']],
    [
      'with what it needs named away',
      'vless',
      1,
      [...extended, 'use_grpc'],
      { use_grpc: true, use_extended_settings: false },
      ['use_grpc'],
    ],
    ['where what it needs cannot stay', 'trojan', 1, extended, { use_grpc: true }, ['use_grpc']],
    ['beside its opposite', 'vless', 1, extended, { use_grpc: true, use_xhttp: true }, ['use_grpc']],
    [
      'away from its location',
      'vless',
      1,
      [...extended, 'pass_all_traffic_through_vpn'],
      { pass_all_traffic_through_vpn: true },
      ['pass_all_traffic_through_vpn'],
    ],
  ]
  test.each(
    refused,
  )('one that is named true is refused %s', (_what, protocol, locationId, kept, named, paths) => {
    expect(on(protocol, locationId, kept, named)).toEqual(paths)
  })

  test('whatever is kept and named: no rule is broken, or what is named breaks one', () => {
    const random = seededRandom(20_261)
    const some = () => switchNames.filter(() => random() < 0.3)
    for (let round = 0; round < 20_000; round++) {
      const [protocol, locationId] = [
        protocols[Math.floor(random() * protocols.length)] as Protocol,
        random() < 0.5 ? 18 : 1,
      ]
      const named = Object.fromEntries(some().map((name) => [name, random() < 0.5]))
      const kept = some()
      const result = carrySwitches({ protocol, locationId, kept, named })
      if ('problems' in result) {
        expect(result.problems.map(({ path }) => named[path])).toEqual(result.problems.map(() => true))
        continue
      }
      const { options } = result
      expect(switchProblems({ protocol, locationId, options })).toEqual([])
      for (const name of switchNames) {
        if (name in named) expect(options[name]).toBe(named[name])
        else if (options[name]) expect(kept).toContain(name)
        else if (kept.includes(name)) {
          expect(switchProblems({ protocol, locationId, options: { ...options, [name]: true } })).not.toEqual(
            [],
          )
        }
      }
    }
  })
})
