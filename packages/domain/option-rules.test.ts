import { type OptionName, optionNames, type Protocol, protocols } from '@sallyport/contract/shapes'
import { describe, expect, test } from 'vitest'
import { optionProblems } from './option-rules.ts'

/** The specification's rules again, written the other way round, over all pairs of options. */
const forbiddenPairs = [
  ['use_xhttp', 'disable_flow_reality'],
  ['use_grpc', 'use_xhttp'],
  ['use_grpc', 'disable_flow_reality'],
].map((pair) => pair.toSorted().join('+'))

const free: readonly OptionName[] = ['use_extended_settings', 'disable_flow_reality', 'disable_sni']

const isAllowed = (protocol: Protocol, chosen: readonly OptionName[], locationId: number): boolean => {
  const has = (name: OptionName) => chosen.includes(name)
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
  const pairs = optionNames.flatMap((a) => optionNames.map((b) => [...new Set([a, b])]))
  const choices: OptionName[][] = [
    [],
    ...pairs,
    ...pairs.map((pair) => [...pair, 'use_extended_settings' as const]),
  ]

  test('every pair of options, with and without extended settings', () => {
    for (const chosen of choices) {
      const options = Object.fromEntries(chosen.map((name) => [name, true]))
      const problems = optionProblems({ protocol, locationId, options })
      expect(problems.length === 0, `${chosen}: ${JSON.stringify(problems)}`).toBe(
        isAllowed(protocol, chosen, locationId),
      )
      for (const problem of problems) expect(chosen).toContain(problem.path)
    }
  })
})

test('an option sent as false is not chosen', () => {
  const options = Object.fromEntries(optionNames.map((name) => [name, false]))
  expect(optionProblems({ protocol: 'wg', locationId: 1, options })).toEqual([])
})
