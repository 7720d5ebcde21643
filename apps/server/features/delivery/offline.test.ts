import { unzip } from '@sallyport/domain/delivery/formats/testing/unzip'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { comeUp, orderMachine, sellByHand } from '../../../../test/support/machines.ts'
import { enrolNode } from '../../../../test/support/node.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { readConfig } from '../../config.ts'
import { startService } from '../../main.ts'

const engines = ['xray', 'amneziawg'].map((name) => ({
  name: name as 'xray',
  state: 'running' as const,
  version: '1',
  detail: null,
}))
const allTitles = ['VLESS home', 'WG home', 'VLESS away', 'WG away']

let service: TestService
let user: TestUser
/** The node whose agent falls silent; the demo's own goes on. */
let away: Awaited<ReturnType<typeof enrolNode>>
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  away = await enrolNode(service, 2, { protocols: ['vless', 'wg'] })
  await away.report({ engines })
  user = await service.createUser({ balance: 10_000 })
  for (const place of [{ location_id: 1 }, { location_id: 2, server_id: away.serverId }]) {
    for (const protocol of ['vless', 'wg']) {
      const { id } = await service.buy(user, { ...place, protocol })
      const title = `${protocol.toUpperCase()} ${place.location_id === 1 ? 'home' : 'away'}`
      await service.customer(user, 'PATCH', `/configs/title/${id}`, { title })
    }
  }
})
afterAll(() => service.stop())

/** Everybody but those is heard of. */
const beatBut = async (...silent: readonly number[]) => {
  const beat = service.db.updateTable('node_status').set({ last_seen_at: service.clock.now() })
  await (silent.length > 0 ? beat.where('node_id', 'not in', silent) : beat).execute()
}
const pass = async (seconds: number, ...silent: readonly number[]) => {
  service.clock.advance(seconds)
  await beatBut(...silent)
}
const die = () => pass(181, away.nodeId)
beforeEach(async () => {
  await pass(60)
})

const ask = (query: string, headers: Record<string, string> = {}, url = service.running.url) =>
  fetch(`${url}/sub/${user.subscription_key}?${query}`, { headers })

type Titles = (answer: Response) => Promise<string[]>
const afterHash: Titles = async (answer) =>
  Buffer.from(await answer.text(), 'base64')
    .toString()
    .split('\n')
    .map((link) => decodeURIComponent(link.split('#')[1] ?? ''))
const confTitle = (text: string): string => text.split('\n')[0]?.slice(2) ?? ''
const readers: Readonly<Record<string, Titles>> = {
  base64: afterHash,
  mihomo: async (answer) => parse(await answer.text()).proxies.map((proxy: { name: string }) => proxy.name),
  'sing-box': async (answer) => {
    const { outbounds, endpoints } = (await answer.json()) as Record<string, { type: string; tag: string }[]>
    return [...(outbounds ?? []), ...(endpoints ?? [])]
      .filter(({ type }) => type === 'vless' || type === 'wireguard')
      .map(({ tag }) => tag)
  },
  conf: async (answer) => {
    const bytes = Buffer.from(await answer.arrayBuffer())
    const isArchive = answer.headers.get('content-type') === 'application/zip'
    return isArchive ? unzip(bytes).map(({ text }) => confTitle(text)) : [confTitle(bytes.toString())]
  },
}
const carriedBy = (format: string) => allTitles.filter((title) => format !== 'conf' || title.startsWith('WG'))
const titles = async (format: string, more = '') => {
  const found = await readers[format]?.(await ask(`format=${format}${more}`))
  return found?.toSorted()
}

describe.each(Object.keys(readers))('as %s', (format) => {
  const all = carriedBy(format).toSorted()
  const alive = all.filter((title) => title.endsWith('home'))
  const allMarked = all.map((title) => (title.endsWith('away') ? `⚠ ${title}` : title)).toSorted()

  test('a server that fell silent is marked, left out or kept, until its agent speaks again', async () => {
    const before = await ask(`format=${format}`)
    const etag = before.headers.get('etag') as string
    expect(await titles(format)).toEqual(all)
    await die()
    expect(await titles(format)).toEqual(allMarked)
    expect(await titles(format, '&offline=mark')).toEqual(allMarked)
    expect(await titles(format, '&offline=hide')).toEqual(alive)
    expect(await titles(format, '&offline=keep')).toEqual(all)
    const changed = await ask(`format=${format}`, { 'if-none-match': etag })
    expect(changed.status).toBe(200)
    const marked = changed.headers.get('etag') as string
    expect(marked).not.toBe(etag)
    expect((await ask(`format=${format}`, { 'if-none-match': marked })).status).toBe(304)

    await away.report({ engines })
    await pass(10, away.nodeId)
    expect((await ask(`format=${format}`, { 'if-none-match': marked })).status).toBe(200)
    expect((await ask(`format=${format}`, { 'if-none-match': etag })).status).toBe(304)
    for (const choice of ['mark', 'hide', 'keep'])
      expect(await titles(format, `&offline=${choice}`)).toEqual(all)
  })
})

describe('who is dead', () => {
  test('nobody before three minutes of silence; looked at every ten seconds at most', async () => {
    await pass(180, away.nodeId)
    expect(await titles('mihomo')).toEqual(allTitles.toSorted())
    await pass(9, away.nodeId)
    expect(await titles('mihomo')).toEqual(allTitles.toSorted())
    await pass(1, away.nodeId)
    expect(await titles('mihomo')).toContain('⚠ WG away')
  })

  test('nobody while nobody is heard of: then it is the service', async () => {
    service.clock.advance(1000)
    expect(await titles('mihomo')).toEqual(allTitles.toSorted())
  })

  test('nobody while an instance has just come up, for agents come back one after another', async () => {
    await die()
    const other = await startService(readConfig(service.env), { clock: service.clock })
    try {
      const read = async () => readers.mihomo?.(await ask('format=mihomo', {}, other.url))
      expect((await read())?.toSorted()).toEqual(allTitles.toSorted())
      await pass(30, away.nodeId)
      expect(await read()).toContain('⚠ WG away')
    } finally {
      await other.stop()
    }
  })

  test('not who has never been heard of', async () => {
    const { db } = service
    await db
      .updateTable('node_status')
      .set({ last_seen_at: null })
      .where('node_id', '=', away.nodeId)
      .execute()
    await pass(500, away.nodeId)
    expect(await titles('mihomo')).toEqual(allTitles.toSorted())
  })

  test('all of a customer’s: they stay, marked, whatever was chosen but to keep them', async () => {
    const { nodeId, serverId, report } = await enrolNode(service, 3)
    await report()
    const owner = await service.createUser({ balance: 1000 })
    const { id } = await service.buy(owner, { location_id: 3, server_id: serverId })
    await service.customer(owner, 'PATCH', `/configs/title/${id}`, { title: 'Only' })
    await pass(181, nodeId)
    const given = async (choice: string) => {
      const { body } = await service.call('GET', `/sub/${owner.subscription_key}?offline=${choice}`)
      return decodeURIComponent(Buffer.from(body, 'base64').toString().split('#')[1] ?? '')
    }
    // One after another: while the first looks, others would go by what is known.
    expect([await given('mark'), await given('hide'), await given('keep')]).toEqual([
      '⚠ Only',
      '⚠ Only',
      'Only',
    ])
  })

  test('a customer’s own machine that is silent; one that is heard of proves nothing about others', async () => {
    const { order } = await sellByHand(service)
    const { user: owner, id } = await orderMachine(service, order)
    const step = async () => {
      service.clock.advance(3)
      await service.running.runJobs()
    }
    await step()
    const { body } = await service.operator('POST', `/cloud-servers/${id}/address`, {
      address: '198.51.100.7',
    })
    const machine = await comeUp(service, body.data.enrolment_token)
    await step()
    const nodeId = machine.nodeId as number
    const made = await service.customer(owner, 'POST', `/cloud-servers/${id}/configs`, {
      protocol: 'vless',
      title: 'Mine',
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const given = async () => {
      const { body: links } = await service.call('GET', `/sub/${owner.subscription_key}?format=links`)
      return decodeURIComponent(String(links).split('#')[1] ?? '')
    }
    expect(await given()).toBe('Mine')
    await pass(181, nodeId)
    expect(await given()).toBe('⚠ Mine')
    // Of all nodes only the machine is heard of.
    service.clock.advance(181)
    const { db, clock } = service
    await db
      .updateTable('node_status')
      .set({ last_seen_at: clock.now() })
      .where('node_id', '=', nodeId)
      .execute()
    expect(await given()).toBe('Mine')
    expect(await titles('mihomo')).toEqual(allTitles.toSorted())
  })
})

test('an answer stays what it is while only servers of others die', async () => {
  const { nodeId, report } = await enrolNode(service, 3)
  await report()
  const etag = (await ask('format=links')).headers.get('etag') as string
  await pass(181, nodeId)
  expect((await ask('format=links', { 'if-none-match': etag })).status).toBe(304)
  await pass(181, nodeId, away.nodeId)
  expect((await ask('format=links', { 'if-none-match': etag })).status).toBe(200)
})

test('one that is asked for alone is marked and never left out, and its number is the page’s', async () => {
  await die()
  const alone = async (more: string) => {
    const text = await (await ask(`format=links&item=3${more}`)).text()
    return decodeURIComponent(text.split('#')[1] ?? '')
  }
  expect(await alone('')).toBe('⚠ VLESS away')
  expect(await alone('&offline=hide')).toBe('⚠ VLESS away')
  expect(await alone('&offline=keep')).toBe('VLESS away')
})

test('another choice than there is: 400, whoever asks', async () => {
  for (const key of [user.subscription_key, 'A'.repeat(32)]) {
    for (const query of ['offline=drop', 'offline=', 'offline=hide&offline=mark']) {
      const answer = await fetch(`${service.running.url}/sub/${key}?${query}`)
      expect([answer.status, await answer.text()]).toEqual([400, 'offline must be one of mark, hide, keep\n'])
    }
  }
})

describe('the page', () => {
  const page = async (query: string, language = 'en') =>
    (await ask(query, { accept: 'text/html', 'accept-language': language })).text()

  test('shows who does not respond, in both languages, and nobody else', async () => {
    await die()
    const count = (text: string, what: string) => text.split(what).length - 1
    const [english, russian] = [await page(''), await page('', 'ru')]
    expect([count(english, '>not responding<'), count(english, '>online<')]).toEqual([2, 2])
    expect([count(russian, '>не отвечает<'), count(russian, '>на связи<')]).toEqual([2, 2])
    expect(english).not.toContain('⚠ WG away')
    expect(await page('item=4')).toContain('The server does not respond right now.')
    expect(await page('item=2')).not.toContain('The server does not respond right now.')
    await pass(10)
    expect(count(await page(''), '>not responding<')).toBe(0)
  })

  test('offers the other choices, and an address for each', async () => {
    const usual = await page('')
    const address = `${service.running.url}/sub/${user.subscription_key}`
    expect(usual).toContain(`value="${address}"`)
    expect(usual).toContain('href="?format=page&amp;offline=hide"')
    const hiding = await page('format=page&offline=hide')
    expect(hiding).toContain(`value="${address}?offline=hide"`)
    expect(hiding).toContain(`happ://add/${address}?offline=hide`)
    expect(hiding).toContain('Servers that do not respond are not shown in apps.')
  })
})
