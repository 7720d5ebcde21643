import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { portsOf } from '../common/reconcile.ts'
import { formatPorts, parsePorts, splitPorts } from './port-list.ts'
import { type PortReserve, ReservedPorts } from './reserved-ports.ts'

class Machine implements PortReserve {
  list = ''
  boots = 1
  writes = 0
  isReadOnly = false

  read = async () => `${this.list}\n`
  bootId = async () => `boot ${this.boots}`
  write = async (list: string) => {
    if (this.isReadOnly) throw new Error('EROFS: read-only file system')
    this.writes += 1
    this.list = formatPorts(parsePorts(list))
  }
}

let directory: string
let machine: Machine
let said: string[]

const agent = (always?: string) =>
  new ReservedPorts({ directory, always, reserve: machine, log: (line) => said.push(line) })

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sallyport-ports-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  machine = new Machine()
  said = []
})

test('ports of a state are those of inbounds and of accesses that have one', () => {
  const listen = '0.0.0.0'
  const entry = { id: 'a', revision: 1 }
  const inbounds = [{ tag: 'o', listen, port: 443, protocol: 'outline' as const }]
  const shared = {
    ...entry,
    kind: 'shared' as const,
    inbound: 'o',
    account: { protocol: 'outline' as const, password: '' },
  }
  const mtproto = { ...entry, id: 'b', kind: 'mtproto' as const, listen, port: 41_000, secret: '' }
  expect([...portsOf({ inbounds, accesses: [shared, mtproto] })]).toEqual([443, 41_000])
})

test('what is wanted is reserved, and let go when it is not', async () => {
  const reserved = agent('10000-29999')
  await reserved.keep(new Set([443, 40_000, 40_001]))
  expect(machine.list).toBe('443,10000-29999,40000-40001')
  await reserved.keep(new Set([40_001, 15_000]))
  expect(machine.list).toBe('10000-29999,40001')
  await reserved.release()
  expect(machine.list).toBe('')
})

test('nothing is written when nothing changes', async () => {
  const reserved = agent()
  await reserved.keep(new Set([40_000]))
  await reserved.keep(new Set([40_000]))
  await reserved.again()
  await agent().keep(new Set([40_000]))
  expect(machine.writes).toBe(1)
})

test("an administrator's ports stay, those that are ours as well among them", async () => {
  machine.list = '8080,40000-40002'
  const reserved = agent()
  await reserved.keep(new Set([40_001, 50_000]))
  expect(machine.list).toBe('8080,40000-40002,50000')
  machine.list += ',60000'
  await reserved.keep(new Set())
  expect(machine.list).toBe('8080,40000-40002,60000')
})

test('what somebody took away is put back', async () => {
  const reserved = agent()
  await reserved.keep(new Set([40_000]))
  machine.list = '7000'
  await reserved.again()
  expect(machine.list).toBe('7000,40000')
})

test('an agent that starts again knows what it had added, and after a boot that it is gone', async () => {
  await agent().keep(new Set([40_000, 41_000]))
  await agent().keep(new Set([41_000]))
  expect(machine.list).toBe('41000')
  machine.boots += 1
  machine.list = '41000'
  await agent().keep(new Set())
  expect(machine.list).toBe('41000')
})

test('where it may not be changed that is said once, and it works as soon as it may', async () => {
  machine.isReadOnly = true
  const reserved = agent()
  await reserved.keep(new Set([40_000]))
  await reserved.again()
  expect(said).toEqual(['ports cannot be reserved here: EROFS: read-only file system'])
  machine.isReadOnly = false
  await reserved.again()
  expect(machine.list).toBe('40000')
})

test.each([
  ['', []],
  ['1-3,5', [1, 2, 3, 5]],
  ['65534-70000', [65_534, 65_535]],
  ['x, 7', [7]],
])('"%s" is %j', (text, ports) => {
  expect([...parsePorts(text)]).toEqual(ports)
})

test('a long list is written in pieces that the kernel can read', () => {
  const list = formatPorts(Array.from({ length: 2000 }, (_, index) => 30_000 + 2 * index))
  const pieces = splitPorts(list, 4000)
  expect(pieces.every(({ length }) => length <= 4000)).toBe(true)
  expect(pieces.join(',')).toBe(list)
  expect(splitPorts('', 4000)).toEqual([''])
})
