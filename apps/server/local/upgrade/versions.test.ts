import { expect, test } from 'vitest'
import { compareVersions, isVersion, type KeptRelease, releaseBefore, removable } from './versions.ts'

test.each([
  ['0.1.0', '0.2.0'],
  ['0.9.0', '0.10.0'],
  ['1.9.9', '2.0.0'],
  ['1.0.0-rc.1', '1.0.0'],
  ['1.0.0-rc.2', '1.0.0-rc.10'],
  ['1.0.0-alpha', '1.0.0-beta'],
  ['1.0.0-rc', '1.0.0-rc.1'],
])('%s comes before %s', (older, newer) => {
  expect(compareVersions(older, newer)).toBeLessThan(0)
  expect(compareVersions(newer, older)).toBeGreaterThan(0)
  expect(compareVersions(older, older)).toBe(0)
})

test.each([
  '',
  'latest',
  '1.2',
  '../1.2.3',
  '1.2.3/../..',
  '1.2.3 4',
  '.new-x',
])('“%s” is no version', (text) => {
  expect(isVersion(text)).toBe(false)
})

const release = (version: string, servedAtMs?: number): KeptRelease => ({ version, servedAtMs })
const never = undefined

test.each<[string, KeptRelease[], string, string | undefined]>([
  [
    'the newest of those older',
    [release('0.1.0', 1), release('0.2.0', 2), release('0.3.0', 3)],
    '0.3.0',
    '0.2.0',
  ],
  [
    'none that never served',
    [release('0.1.0', 1), release('0.2.0', never), release('0.3.0', 3)],
    '0.3.0',
    '0.1.0',
  ],
  [
    'none that is newer, though it served last',
    [release('0.1.0', 3), release('0.2.0', 9)],
    '0.1.0',
    undefined,
  ],
  ['not itself', [release('0.1.0', 3)], '0.1.0', undefined],
])('the release before is %s', (_what, releases, current, before) => {
  expect(releaseBefore(releases, current)).toBe(before)
})

test.each<[string, KeptRelease[], string[], string[]]>([
  ['three stay', [1, 2, 3, 4, 5].map((n) => release(`0.${n}.0`, n)), ['0.5.0'], ['0.1.0', '0.2.0']],
  ['those in use stay, however old', [1, 2, 3, 4].map((n) => release(`0.${n}.0`, n)), ['0.1.0'], ['0.2.0']],
  [
    'by when they served, not by name',
    [release('0.9.0', 1), release('0.1.0', 5), release('0.2.0', 6), release('0.3.0', 7)],
    ['0.3.0'],
    ['0.9.0'],
  ],
  [
    'what never served goes',
    [release('0.1.0', 1), release('0.2.0', never), release('0.3.0', 3)],
    ['0.3.0'],
    ['0.2.0'],
  ],
  ['unless it is in use', [release('0.1.0', 1), release('0.2.0', never)], ['0.1.0', '0.2.0'], []],
])('of the releases on the disk: %s', (_what, releases, inUse, gone) => {
  expect(removable(releases, inUse).toSorted()).toEqual(gone)
})
