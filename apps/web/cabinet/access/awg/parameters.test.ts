import { awgFields } from '@sallyport/contract/customer/awg-shapes'
import { expect, test } from 'vitest'
import { changedIn, parametersIn, ranges } from './parameters.ts'

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
  expect(parametersIn(conf)).toEqual({ jc: 10, jmin: 77, s4: 18, h1: 926_799_428, port: 10_969 })
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
