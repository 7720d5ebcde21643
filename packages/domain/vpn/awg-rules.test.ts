import { randomBytes } from 'node:crypto'
import type { AwgParameters } from '@sallyport/contract/agent/agent'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { awgMtu, awgProblems, carriedAwg, defaultAwgParameters } from './awg-rules.ts'

const good: AwgParameters = {
  jc: 4,
  jmin: 40,
  jmax: 70,
  s1: 72,
  s2: 40,
  s3: 32,
  s4: 16,
  h1: 100_000,
  h2: 200_000,
  h3: 300_000,
  h4: 400_000,
}
const uint32 = 4_294_967_295

test('parameters of an ordinary tunnel have no problems', () => {
  expect(awgProblems(good)).toEqual([])
})

describe('ranges', () => {
  const ranges: [keyof AwgParameters, number, number][] = [
    ['jc', 1, 128],
    ['jmin', 1, 1280],
    ['jmax', 1, 1280],
    ...(['s1', 's2', 's3', 's4'] as const).map((path): [typeof path, number, number] => [path, 0, uint32]),
    ...(['h1', 'h2', 'h3', 'h4'] as const).map((path): [typeof path, number, number] => [path, 1, uint32]),
  ]
  test.each(ranges)('%s is an integer from %d to %d', (path, minimum, maximum) => {
    const problem = `must be an integer from ${minimum} to ${maximum}`
    for (const value of [minimum - 1, maximum + 1, minimum + 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(awgProblems({ ...good, [path]: value })).toEqual([{ path, problem }])
    }
    for (const value of [minimum, maximum]) {
      expect(awgProblems({ ...good, [path]: value }).map((found) => found.problem)).not.toContain(problem)
    }
  })
})

test('128 junk packets are allowed, and 127 sent: the engine has room for 128 with the handshake', () => {
  expect(carriedAwg({ ...good, jc: 128 })).toEqual({ ...good, jc: 127 })
  expect(carriedAwg(good)).toEqual(good)
})

describe('what the engine can carry', () => {
  const equal = (packets: string, with_: string, bytes: number) =>
    `with this ${with_} makes ${packets} packets equally long (${bytes} bytes)`

  test.each<[Partial<AwgParameters>, keyof AwgParameters, string]>([
    [{ jmin: 71 }, 'jmin', 'must not be greater than jmax'],
    [{ s1: 1133 }, 's1', 'must be at most 1132: larger makes the initiation packet too long'],
    [{ s2: 1189 }, 's2', 'must be at most 1188: larger makes the response packet too long'],
    [{ s3: 1217 }, 's3', 'must be at most 1216: larger makes the cookie packet too long'],
    [{ s4: 865 }, 's4', 'must be at most 864: larger leaves no room for data'],
    [{ s1: 10, s2: 66 }, 's2', equal('response and initiation', 's1', 158)],
    [{ s1: 10, s3: 94 }, 's3', equal('cookie and initiation', 's1', 158)],
    [{ s1: 10, s4: 126 }, 's4', equal('keepalive and initiation', 's1', 158)],
    [{ s2: 10, s3: 38 }, 's3', equal('cookie and response', 's2', 102)],
    [{ s2: 10, s4: 70 }, 's4', equal('keepalive and response', 's2', 102)],
    [{ s3: 10, s4: 42 }, 's4', equal('keepalive and cookie', 's3', 74)],
    [{ h2: 100_000 }, 'h2', 'must differ from h1'],
    [{ h3: 100_000 }, 'h3', 'must differ from h1'],
    [{ h4: 100_000 }, 'h4', 'must differ from h1'],
    [{ h3: 200_000 }, 'h3', 'must differ from h2'],
    [{ h4: 200_000 }, 'h4', 'must differ from h2'],
    [{ h4: 300_000 }, 'h4', 'must differ from h3'],
  ])('%j: %s', (change, path, problem) => {
    expect(awgProblems({ ...good, ...change })).toEqual([{ path, problem }])
  })

  test.each<Partial<AwgParameters>>([
    { jc: 128 },
    { jmin: 70 },
    { jmin: 1280, jmax: 1280 },
    { s1: 1132 },
    { s2: 1188 },
    { s3: 1216 },
    { s4: 864 },
    { s1: 0, s2: 0, s3: 0, s4: 0 },
    { h1: 2, h2: 1, h3: 4, h4: 3 },
    { h1: uint32, h2: uint32 - 1, h3: uint32 - 2, h4: uint32 - 3 },
  ])('%j works', (change) => {
    expect(awgProblems({ ...good, ...change })).toEqual([])
  })

  test('every problem is named at once', () => {
    const paths = awgProblems({ ...good, jmin: 80, s4: 900, h4: 100_000 }).map(({ path }) => path)
    expect(paths).toEqual(['s4', 'jmin', 'h4'])
  })
})

test('whatever has no problems can be carried, and whatever can be carried has none', () => {
  const small = fc.integer({ min: 0, max: 1300 })
  const header = fc.integer({ min: 0, max: 6 })
  const arbitrary = fc.record({
    ...{ jc: fc.integer({ min: 0, max: 130 }), jmin: small, jmax: small },
    ...{ s1: small, s2: small, s3: small, s4: small },
    ...{ h1: header, h2: header, h3: header, h4: header },
  })
  fc.assert(
    fc.property(arbitrary, (parameters) => {
      const { jc, jmin, jmax, s1, s2, s3, s4, h1, h2, h3, h4 } = parameters
      const lengths = [148 + s1, 92 + s2, 64 + s3, 32 + s4]
      const canBeCarried =
        jc > 0 &&
        jc <= 128 &&
        jmin > 0 &&
        jmin <= jmax &&
        Math.max(jmax, 148 + s1, 92 + s2, 64 + s3) <= 1280 &&
        1440 - s4 >= 576 &&
        Math.min(h1, h2, h3, h4) > 0 &&
        new Set(lengths).size === 4 &&
        new Set([h1, h2, h3, h4]).size === 4
      expect(awgProblems(parameters).length === 0).toBe(canBeCarried)
    }),
    { numRuns: 5000 },
  )
})

test.each([
  [0, 1280],
  [160, 1280],
  [161, 1279],
  [864, 576],
])('with s4 = %d the tunnel is %d wide', (s4, mtu) => {
  expect(awgMtu({ s4 })).toBe(mtu)
})

describe('default parameters', () => {
  const randomHex = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((b) => Buffer.from(b).toString('hex'))
  const expected: Record<keyof AwgParameters, [number, number]> = {
    jc: [3, 10],
    jmin: [40, 80],
    jmax: [60, 160],
    s1: [15, 150],
    s2: [15, 150],
    s3: [5, 60],
    s4: [0, 30],
    h1: [5, 2_147_483_647],
    h2: [5, 2_147_483_647],
    h3: [5, 2_147_483_647],
    h4: [5, 2_147_483_647],
  }

  test('have no problems, stay within the usual, and let no handshake be as long as data', () => {
    const check = (hex: string) => {
      const parameters = defaultAwgParameters(hex)
      expect(awgProblems(parameters)).toEqual([])
      for (const [path, [minimum, maximum]] of Object.entries(expected)) {
        const value = parameters[path as keyof AwgParameters]
        expect(value).toBeGreaterThanOrEqual(minimum)
        expect(value).toBeLessThanOrEqual(maximum)
      }
      expect(parameters.jmax - parameters.jmin).toBeGreaterThanOrEqual(20)
      expect(parameters.jmax - parameters.jmin).toBeLessThanOrEqual(80)
      const { s1, s2, s3, s4 } = parameters
      const dataBytes = new Set(Array.from({ length: 81 }, (_, blocks) => 32 + s4 + 16 * blocks))
      expect([148 + s1, 92 + s2, 64 + s3].filter((bytes) => dataBytes.has(bytes))).toEqual([])
    }
    fc.assert(fc.property(randomHex, check), { numRuns: 2000 })
  })

  /** Two bytes each for jmin, s1, s2, s3, jc, jmax and s4: offsets from the least value. */
  const shorts = (...values: number[]) =>
    values
      .map((value) => value.toString(16).padStart(4, '0'))
      .join('')
      .padEnd(64, '0')

  test('step aside where two packets would be equally long or two headers the same', () => {
    expect(defaultAwgParameters(shorts(0, 0, 56))).toMatchObject({ s1: 15, s2: 72 })
    expect(defaultAwgParameters(shorts(0, 79, 135))).toMatchObject({ s1: 94, s2: 15 })
    expect(defaultAwgParameters(shorts(0, 0, 0, 38))).toMatchObject({ s2: 15, s3: 44 })
    expect(defaultAwgParameters(shorts(0, 0, 17, 55))).toMatchObject({ s2: 32, s3: 5 })
    expect(defaultAwgParameters(shorts(0))).toMatchObject({ h1: 5, h2: 6, h3: 7, h4: 8 })
  })

  test('are the same for the same bytes, and others for others', () => {
    const [one, other] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
    expect(defaultAwgParameters(one)).toEqual(defaultAwgParameters(one))
    expect(defaultAwgParameters(one)).not.toEqual(defaultAwgParameters(other))
    expect(defaultAwgParameters('00112233445566778899aabbccddeeff'.repeat(2))).toEqual({
      jc: 4,
      jmin: 57,
      jmax: 108,
      s1: 66,
      s2: 100,
      s3: 28,
      s4: 24,
      h1: 1_862_205_467,
      h2: 573_785_178,
      h3: 1_719_109_790,
      h4: 716_950_759,
    })
  })

  test('need all the bytes', () => {
    expect(() => defaultAwgParameters('00')).toThrow(RangeError)
  })
})
