import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { webhookPoster } from './post-webhook.ts'
import { nameResolver } from './resolve-name.ts'

/** A name server that answers as the test says, on this machine. */

type Records = { readonly v4?: readonly string[]; readonly v6?: readonly number[][] }
const zone: Readonly<Record<string, Records | 'silent' | 'broken'>> = {
  'both.example.com': { v4: ['203.0.113.7', '203.0.113.8'], v6: [[0x2001, 0xdb8, 0, 0, 0, 0, 0, 1]] },
  'only4.example.com': { v4: ['203.0.113.7'] },
  'mixed.example.com': { v4: ['203.0.113.7', '10.0.0.1'] },
  'empty.example.com': {},
  'silent.example.com': 'silent',
  'broken.example.com': 'broken',
}

const typeA = 1
const noSuchName = 3
const serverFailure = 2

const nameIn = (question: Buffer): { name: string; end: number } => {
  const labels: string[] = []
  let at = 12
  for (let size = question[at] as number; size > 0; size = question[at] as number) {
    labels.push(question.toString('latin1', at + 1, at + 1 + size))
    at += size + 1
  }
  return { name: labels.join('.'), end: at + 5 }
}

const dataOf = (records: Records, isA: boolean): Buffer[] =>
  isA
    ? (records.v4 ?? []).map((address) => Buffer.from(address.split('.').map(Number)))
    : (records.v6 ?? []).map((words) => Buffer.from(words.flatMap((word) => [word >> 8, word & 0xff])))

const answerTo = (question: Buffer): Buffer | undefined => {
  const { name, end } = nameIn(question)
  const known = zone[name]
  if (known === 'silent') return undefined
  const isA = question.readUInt16BE(end - 4) === typeA
  const found = typeof known === 'object' ? dataOf(known, isA) : []
  const code = known === undefined ? noSuchName : known === 'broken' ? serverFailure : 0
  const head = Buffer.alloc(12)
  question.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(found.length, 6)
  const records = found.map((data) => {
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(isA ? typeA : 28, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt32BE(60, 6)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([head, question.subarray(12, end), ...records])
}

let server: Socket
let asked: string[]
beforeAll(async () => {
  server = createSocket('udp4')
  server.on('message', (question, from) => {
    asked.push(nameIn(question).name)
    const answer = answerTo(question)
    if (answer) server.send(answer, from.port, from.address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())
beforeEach(() => {
  asked = []
})

const resolver = (timeoutMs = 5000) =>
  nameResolver({ servers: [`127.0.0.1:${server.address().port}`], timeoutMs })

describe('a name', () => {
  test.each([
    ['both.example.com', ['203.0.113.7', '203.0.113.8', '2001:db8::1']],
    ['only4.example.com', ['203.0.113.7']],
    ['empty.example.com', []],
  ])('%s leads to all of its addresses', async (name, addresses) => {
    expect(await resolver()(name)).toEqual(addresses)
  })

  test('that nobody has, or that cannot be asked for, is an error', async () => {
    await expect(resolver()('nobody.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    await expect(resolver()('broken.example.com')).rejects.toMatchObject({ code: 'ESERVFAIL' })
  })

  test('is given up in time', async () => {
    const began = performance.now()
    await expect(resolver(200)('silent.example.com')).rejects.toThrow()
    expect(performance.now() - began).toBeLessThan(2000)
  })
})

test('this machine needs no name server', async () => {
  expect(await resolver()('localhost')).toEqual(['127.0.0.1', '::1'])
  expect(asked).toEqual([])
})

test('many that hang leave the look-ups of others alone', async () => {
  const hanging = Array.from({ length: 20 }, () => resolver(1000)('silent.example.com').catch(() => 'late'))
  const began = performance.now()
  expect(await resolver()('only4.example.com')).toEqual(['203.0.113.7'])
  expect(performance.now() - began).toBeLessThan(500)
  await Promise.all(hanging)
})

test('tries at the same time share one look-up, and each judges what it found', async () => {
  const send = webhookPoster({
    mayDial: (address) => !address.startsWith('10.'),
    resolve: resolver(),
    timeoutMs: 2000,
  })
  const post = {
    url: 'https://mixed.example.com/',
    headers: {},
    body: '{}',
    signal: new AbortController().signal,
  }
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => send(post)))
  expect(new Set(outcomes.map(({ error }) => error))).toEqual(
    new Set(['the name leads to an address that is not public']),
  )
  // Of both families.
  expect(asked).toEqual(['mixed.example.com', 'mixed.example.com'])
})
