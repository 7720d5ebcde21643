import { expect, test } from 'vitest'
import { parseMtprotoLink } from './clients/mtproto.ts'
import { labsIn } from './leftovers.ts'
import { formatMatrix, isGood, type MatrixRow } from './matrix.ts'
import { encodeAnswer, encodeQuestion, readAnswer, readQuestion } from './programs/dns-message.ts'
import { accept, call } from './programs/obfuscation.ts'

test('only namespaces of labs are taken for leftovers, each with its owner', () => {
  const listing =
    'spe-12-0a1b2c-entry (id: 3)\nspe-12-0a1b2c-exit\nspe-x\nspe-7-zzzzzz-exit\nother-9-aaaaaa-entry\n'
  expect([...labsIn(listing)]).toEqual([['spe-12-0a1b2c', 12]])
})

test('a question and its answer', () => {
  const question = encodeQuestion(7, 'WWW.site.example')
  expect(readQuestion(question)).toEqual({ id: 7, name: 'www.site.example', type: 1, end: question.length })
  expect(readAnswer(encodeAnswer(question, '192.0.2.80'))).toBe('192.0.2.80')
  expect(readAnswer(encodeAnswer(question, null))).toBeNull()
})

test('both sides of an obfuscated call understand each other, and a stranger is noticed', () => {
  const [caller, text] = [call(2, null), Buffer.from('hello')]
  const called = accept(caller.frame)
  expect(called.decrypt(caller.encrypt(text))).toEqual(text)
  expect(caller.decrypt(called.encrypt(text))).toEqual(text)
  expect(() => accept(call(2, Buffer.alloc(16, 1)).frame)).toThrow('stranger')
})

test.each([
  ['tg://proxy?server=203.0.113.10&port=443&secret=ee00112233445566778899aabbccddeeff7777', true],
  ['https://t.me/proxy?server=203.0.113.10&port=443&secret=7gARIjNEVWZ3iJmqu8zd7v93dw', true],
  ['tg://socks?server=203.0.113.10&port=443&secret=ee00', false],
  ['tg://proxy?server=203.0.113.10&secret=ee00', false],
])('%s', (link, isGoodLink) => {
  const expected = { host: '203.0.113.10', port: 443, secret: 'ee00112233445566778899aabbccddeeff7777' }
  if (isGoodLink) expect(parseMtprotoLink(link)).toEqual(expected)
  else expect(() => parseMtprotoLink(link)).toThrow()
})

const row: MatrixRow = {
  protocol: 'vless',
  variant: 'usual',
  client: 'xray',
  tcp: 'ok',
  udp: 'ok',
  isolation: 'ok',
  megabitsPerSecond: 812.4,
  ratioToPlain: 0.254,
}

test('the matrix has one aligned line a row', () => {
  const rows = [
    row,
    { ...row, protocol: 'mtproto', udp: 'none', megabitsPerSecond: null, ratioToPlain: null },
  ]
  expect(formatMatrix(rows)).toBe(
    [
      'vless    usual  xray  tcp ok  udp ok    isolation ok  812 Mbit/s  0.25 of plain',
      'mtproto  usual  xray  tcp ok  udp none  isolation ok',
    ].join('\n'),
  )
})

test('a row is good when nothing of it failed', () => {
  expect(isGood(row)).toBe(true)
  expect(isGood({ ...row, udp: 'none' })).toBe(true)
  for (const part of ['tcp', 'udp', 'isolation']) expect(isGood({ ...row, [part]: 'broken' })).toBe(false)
})
