import { awgFields } from '@sallyport/contract/customer/awg-shapes'
import { expect, test } from 'vitest'
import { changedIn, parametersIn, ranges, troublesIn } from './parameters.ts'

const conf = `[Interface]
PrivateKey = a=
Jc = 10
Jmin = 77
S4 = 18
H1 = 926799428

[Peer]
Endpoint = [2001:db8::1]:10969
`

test('parameters are read from the file', () => {
  expect(parametersIn(conf)).toEqual({
    jc: '10',
    jmin: '77',
    s4: '18',
    h1: '926799428',
    port: '10969',
  })
})

test('only what differs is sent', () => {
  const filled = { jc: '10', jmin: '80', h1: '', port: '10969', other: '1' }
  expect(changedIn(filled, parametersIn(conf))).toEqual({ jmin: 80 })
})

test('ranges are those of the contract', () => {
  interface Schema {
    readonly minimum: number
    readonly maximum: number
    /** What the engine can carry, where that is less. */
    readonly stated?: { readonly maximum: number }
  }
  const said = Object.entries(awgFields as unknown as Readonly<Record<string, Schema>>).map(
    ([name, { minimum, maximum, stated }]) => [name, [minimum, stated?.maximum ?? maximum]],
  )
  expect(Object.fromEntries(said)).toEqual(ranges)
})

test('what does not go together is named', () => {
  const good = {
    jc: '5',
    jmin: '50',
    jmax: '900',
    s1: '20',
    s2: '30',
    s3: '10',
    s4: '5',
    h1: '1',
    h2: '2',
    h3: '3',
    h4: '4',
  }
  expect(troublesIn(good)).toEqual([])
  expect(troublesIn({ ...good, jmin: '901' })).toEqual([{ path: 'jmin', reason: 'aboveMost', other: 'JMAX' }])
  expect(troublesIn({ ...good, h3: '1' })).toEqual([{ path: 'h3', reason: 'sameHeader', other: 'H1' }])
  expect(troublesIn({ ...good, s2: '76' })).toEqual([{ path: 's2', reason: 'sameLength', other: 'S1' }])
  expect(troublesIn({ ...good, jc: '900' })).toEqual([{ path: 'jc', reason: 'outside', other: '' }])
})
