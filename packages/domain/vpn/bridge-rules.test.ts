import { protocols } from '@sallyport/contract/shapes'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bridgeMakesLoop, canBeginBridge, canEndBridge } from './bridge-rules.ts'

const bridge = (entry: number, exit: number) => ({ entry, exit })

test.each([
  ['itself', [], 1, 1, true],
  ['a first bridge', [], 1, 2, false],
  ['straight back', [bridge(2, 1)], 1, 2, true],
  ['back over a third', [bridge(2, 3), bridge(3, 1)], 1, 2, true],
  ['a longer way out', [bridge(2, 3), bridge(3, 4)], 1, 2, false],
  ['another exit for an entry that has one', [bridge(1, 3)], 1, 2, false],
  ['two entries with one exit', [bridge(3, 2)], 1, 2, false],
] as const)('%s', (_name, bridges, from, to, isLoop) => {
  expect(bridgeMakesLoop(bridges, from, to)).toBe(isLoop)
})

test('however bridges are made, following them always ends', () => {
  const pair = fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 }))
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 40 }), (wanted) => {
      let bridges: ReturnType<typeof bridge>[] = []
      for (const [from, to] of wanted) {
        if (bridgeMakesLoop(bridges, from, to)) continue
        bridges = [...bridges.filter(({ entry }) => entry !== from), bridge(from, to)]
      }
      for (const start of bridges) {
        let at: number = start.entry
        for (let steps = 0; ; steps++) {
          const found = bridges.find(({ entry }) => entry === at)
          if (!found) break
          expect(steps).toBeLessThan(bridges.length)
          at = found.exit
        }
      }
    }),
  )
})

test('what can begin and end a bridge', () => {
  const all = [...protocols, 'mtproto'] as const
  expect(all.filter((protocol) => !canBeginBridge(protocol))).toEqual(['wg', 'amnezia-wg-2', 'mtproto'])
  expect(all.filter((protocol) => !canEndBridge(protocol))).toEqual(['amnezia-wg-2', 'mtproto'])
})
