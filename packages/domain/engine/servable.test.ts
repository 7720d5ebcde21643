import type { Access, Inbound } from '@sallyport/contract/agent'
import { expect, test } from 'vitest'
import { servable } from './servable.ts'

const inbound: Inbound = {
  tag: 'vless-1',
  protocol: 'vless',
  listen: '0.0.0.0',
  port: 443,
  reality: {
    target: 'www.example.com:443',
    server_names: ['www.example.com'],
    private_key: 'dwdtCnMYpX08FsFyUbJmRd9ML4frwJkqsXf7pR25LCo',
    short_ids: ['0123456789abcdef'],
  },
}
const access = (id: string, uuid: string, onInbound = 'vless-1'): Access => ({
  id,
  revision: 1,
  inbound: onInbound,
  account: { protocol: 'vless', uuid, flow: '' },
})
const uuid = '5783a3e7-e373-51cd-8642-c83782b807c5'

test('a good state is served whole', () => {
  expect(servable([inbound], [access('c1', uuid)])).toEqual({
    inbounds: [inbound],
    accesses: [access('c1', uuid)],
    problems: [],
  })
})

test.each([
  ['a private key in standard base64', { ...inbound.reality, private_key: `${'x'.repeat(42)}+` }],
  ['an odd short id', { ...inbound.reality, short_ids: ['abc'] }],
  ['no server names', { ...inbound.reality, server_names: [] }],
  ['a target without a port', { ...inbound.reality, target: 'www.example.com' }],
])('an inbound with %s is left out with its accesses, others stay', (_what, reality) => {
  const answer = servable(
    [{ ...inbound, tag: 'bad', reality }, inbound],
    [access('c1', uuid), access('c2', uuid, 'bad')],
  )
  expect(answer.inbounds).toEqual([inbound])
  expect(answer.accesses).toEqual([access('c1', uuid)])
  expect(answer.problems).toHaveLength(2)
})

test('a malformed uuid and one that Xray cannot tell from another are left out', () => {
  const lookalike = '5783a3e7-e373-ffff-8642-c83782b807c5'
  const answer = servable([inbound], [access('c1', uuid), access('c2', 'nope'), access('c3', lookalike)])
  expect(answer.accesses.map(({ id }) => id)).toEqual(['c1'])
  expect(answer.problems).toEqual([
    'access c2: its uuid is not a UUID',
    'access c3: its uuid is taken on this inbound',
  ])
})
