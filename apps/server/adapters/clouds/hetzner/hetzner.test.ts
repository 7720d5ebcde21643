import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type HetznerStandIn, startHetzner } from '../../../../../test/support/clouds/hetzner.ts'
import { type ProviderReply, StandIn } from '../../../../../test/support/providers/stand-in.ts'
import { CloudRefusal, CloudUnreachable, type MachineWish, type RefusalKind } from '../../../ports/clouds.ts'
import { Hetzner } from './hetzner.ts'

const token = 'hetzner-token'
const wish: MachineWish = {
  name: 'srv-home-42',
  marks: { installation: 'home', order: 42, attempt: 2 },
  region: 'fsn1',
  type: 'cx23',
  image: 'ubuntu-24.04',
  userData: '#cloud-config\npackages: [curl]\n',
}

describe('what is sent', () => {
  let standIn: HetznerStandIn
  let hetzner: Hetzner
  beforeAll(async () => {
    standIn = await startHetzner({ token })
    hetzner = new Hetzner({ token, url: `${standIn.url}/` })
  })
  afterAll(() => standIn.close())
  beforeEach(() => {
    standIn.calls.length = 0
  })
  const sent = () =>
    standIn.calls.map(({ method, path, query, body }) => {
      const asked = query.toString()
      const line = `${method} ${path}${asked && `?${decodeURIComponent(asked)}`}`
      return body === '' ? line : [line, JSON.parse(body)]
    })

  test('to make a machine', async () => {
    await hetzner.create(wish)
    expect(sent()).toEqual([
      [
        'POST /servers',
        {
          name: 'srv-home-42',
          server_type: 'cx23',
          image: 'ubuntu-24.04',
          location: 'fsn1',
          user_data: '#cloud-config\npackages: [curl]\n',
          start_after_create: true,
          public_net: { enable_ipv4: true, enable_ipv6: true },
          labels: { sallyport: 'home', 'sallyport-order': '42', 'sallyport-attempt': '2' },
        },
      ],
    ])
    const headers = standIn.calls[0]?.headers
    expect(headers).toMatchObject({
      authorization: 'Bearer hetzner-token',
      'content-type': 'application/json',
    })
  })

  test('to find, to list, to work on it and to be rid of it', async () => {
    const [machine] = await hetzner.find('srv-home-42', 'home')
    const ref = machine?.ref ?? ''
    await hetzner.list('home')
    await hetzner.show(ref)
    for (const act of [hetzner.reboot, hetzner.powerOff, hetzner.powerOn, hetzner.destroy]) {
      await hetzner.outcomeOf((await act.call(hetzner, ref)) ?? '')
      await hetzner.show(ref)
    }
    expect(sent().filter((line) => !/^GET \/(actions|servers\/)/.test(String(line)))).toEqual([
      'GET /servers?name=srv-home-42&label_selector=sallyport=home&sort=id:asc&page=1&per_page=50',
      'GET /servers?label_selector=sallyport=home&sort=id:asc&page=1&per_page=50',
      `POST /servers/${ref}/actions/reboot`,
      `POST /servers/${ref}/actions/poweroff`,
      `POST /servers/${ref}/actions/poweron`,
      `DELETE /servers/${ref}`,
    ])
  })

  test('offers: the machine with its IPv4, with VAT, where it is made', async () => {
    const offers = await hetzner.offers()
    expect(offers).toHaveLength(10)
    // 3.49 and 0.50 without VAT, 4.1531 and 0.595 with it.
    expect(offers[0]).toEqual({
      region: 'fsn1',
      type: 'cx23',
      title: 'CX23',
      cores: 2,
      memoryMb: 4096,
      diskGb: 40,
      monthlyCost: 475,
      currency: 'EUR',
      isInStock: true,
    })
    expect(offers.filter(({ type }) => type === 'cax11').map(({ region }) => region)).toEqual([
      'fsn1',
      'hel1',
    ])
    // Not made any longer.
    expect(offers.find(({ type }) => type === 'cx22')).toMatchObject({ region: 'nbg1', isInStock: false })
  })

  test('when all questions are back is not waited for: they come back one by one', async () => {
    standIn.faults.once('show', { kind: 'rate', resetInSeconds: 3000 })
    await expect(hetzner.show('1')).rejects.toMatchObject({ kind: 'rate', retryAfterSeconds: 60 })
  })

  test('a place where a type is not made is out of stock, and another will do', async () => {
    const refusal = hetzner.create({ ...wish, name: 'arm', type: 'cax11', region: 'nbg1' })
    await expect(refusal).rejects.toMatchObject({ name: 'CloudRefusal', kind: 'stock' })
  })
})

/** Says whatever the test wants. */
class Liar extends StandIn {
  reply: ProviderReply = { status: 200, json: {} }
  protected answer = () => this.reply
  protected failure = () => this.reply
}

describe('answers', () => {
  const liar = new Liar()
  let hetzner: Hetzner
  beforeAll(async () => {
    await liar.start()
    hetzner = new Hetzner({ token, url: liar.url })
  })
  afterAll(() => liar.stop())
  const says = (status: number, json: unknown) => {
    liar.reply = { status, json }
  }

  test.each<[number, string, RefusalKind | 'unknown']>([
    [401, 'unauthorized', 'account'],
    [403, 'forbidden', 'account'],
    [403, 'token_readonly', 'account'],
    [403, 'resource_limit_exceeded', 'quota'],
    [412, 'resource_unavailable', 'stock'],
    [503, 'resource_unavailable', 'stock'],
    [422, 'placement_error', 'stock'],
    [422, 'invalid_server_type', 'stock'],
    [409, 'uniqueness_error', 'taken'],
    [423, 'locked', 'busy'],
    [409, 'conflict', 'busy'],
    [422, 'maintenance', 'busy'],
    [422, 'rate_limit_exceeded', 'rate'],
    [404, 'not_found', 'gone'],
    [422, 'invalid_input', 'invalid'],
    [400, 'json_error', 'invalid'],
    [403, 'protected', 'invalid'],
    [422, 'unsupported_error', 'invalid'],
    [410, 'deprecated_api_endpoint', 'invalid'],
    [418, 'a_code_of_tomorrow', 'invalid'],
    [408, 'timeout', 'unknown'],
    [422, 'service_error', 'unknown'],
    [500, 'server_error', 'unknown'],
    [502, 'bad_gateway', 'unknown'],
    [503, 'unavailable', 'unknown'],
    [503, 'maintenance', 'unknown'],
    [504, 'timeout', 'unknown'],
    [500, 'not_found', 'unknown'],
  ])('%i %s is %s', async (status, code, kind) => {
    says(status, { error: { code, message: 'words', details: null } })
    const asked = hetzner.reboot('1')
    if (kind === 'unknown') await expect(asked).rejects.toThrow(CloudUnreachable)
    else await expect(asked).rejects.toMatchObject({ name: 'CloudRefusal', kind })
  })

  test('nothing is gone when a machine is made of an image that is not there', async () => {
    says(404, { error: { code: 'not_found', message: 'image not found' } })
    await expect(hetzner.create(wish)).rejects.toMatchObject({ kind: 'invalid' })
  })

  test('an error that repeats the token, over many lines', async () => {
    says(422, { error: { code: 'invalid_input', message: `what is\n\u202e${token}? ${'x'.repeat(900)}` } })
    const error = await hetzner.reboot('1').catch((reason: unknown) => reason as Error)
    expect(error).toBeInstanceOf(CloudRefusal)
    expect((error as Error).message).toMatch(
      /^Hetzner: refused with 422: invalid_input, what is \*\*\*\? x{200,}$/,
    )
    expect((error as Error).message.length).toBeLessThan(400)
  })

  const server = {
    id: 7,
    name: 'srv-home-42',
    status: 'running',
    created: '2026-11-01T10:00:00+00:00',
    labels: { sallyport: 'home', 'sallyport-order': '42', 'sallyport-attempt': '2' },
    public_net: { ipv4: { ip: '198.51.100.7' }, ipv6: { ip: '2001:db8:0:7::/64' } },
  }
  const shown = (changes: object) => {
    says(200, { server: { ...server, ...changes } })
    return hetzner.show('7')
  }

  test('the server that the next ones are bent from is good', async () => {
    expect(await shown({})).toEqual({
      ref: '7',
      name: 'srv-home-42',
      marks: { installation: 'home', order: 42, attempt: 2 },
      state: 'running',
      address: '198.51.100.7',
      createdAt: 1_793_527_200,
    })
  })

  test.each([
    ['initializing', 'starting'],
    ['starting', 'starting'],
    ['running', 'running'],
    ['off', 'off'],
    ['deleting', 'going'],
    ['stopping', 'unknown'],
    ['migrating', 'unknown'],
    ['rebuilding', 'unknown'],
    ['unknown', 'unknown'],
    ['toString', 'unknown'],
  ])('a server that is %s is %s', async (status, state) => {
    expect((await shown({ status }))?.state).toBe(state)
  })

  test('without IPv4 it has no address yet', async () => {
    expect((await shown({ public_net: { ...server.public_net, ipv4: null } }))?.address).toBeNull()
  })

  test.each<[string, Record<string, string>]>([
    ['none', {}],
    ['no order', { sallyport: 'home', 'sallyport-attempt': '2' }],
    ['no attempt', { sallyport: 'home', 'sallyport-order': '42' }],
    ['an order that is no number', { ...server.labels, 'sallyport-order': '4e1' }],
    ['a strange installation', { ...server.labels, sallyport: 'Home_1' }],
  ])('labels that are not ours: %s', async (_what, labels) => {
    expect((await shown({ labels }))?.marks).toBeNull()
    says(200, { servers: [{ ...server, labels }], meta: { pagination: { next_page: null } } })
    expect(await hetzner.list('home')).toEqual([])
    expect(await hetzner.find('srv-home-42', 'home')).toEqual([])
  })

  test.each<[string, unknown]>([
    ['nothing', null],
    ['a list', [server]],
    ['another server', { server: { ...server, id: 8 } }],
    ['an id that is a word', { server: { ...server, id: '7' } }],
    ['an enormous id', { server: { ...server, id: 1e300 } }],
    ['no name', { server: { ...server, name: undefined } }],
    ['no labels', { server: { ...server, labels: null } }],
    ['labels that are no words', { server: { ...server, labels: { sallyport: 1 } } }],
    ['a time that is none', { server: { ...server, created: 'yesterday' } }],
    [
      'an address that is none',
      { server: { ...server, public_net: { ipv4: { ip: 'evil.example' }, ipv6: null } } },
    ],
  ])('%s is not a server', async (_what, json) => {
    says(200, json)
    await expect(hetzner.show('7')).rejects.toThrow(CloudUnreachable)
  })

  test.each<[string, unknown]>([
    [
      'another name',
      { server: { ...server, name: 'srv-43' }, action: { id: 1, status: 'running', error: null } },
    ],
    ['no action', { server }],
    ['a strange action', { server, action: { id: 1, status: 'paused', error: null } }],
  ])('a created server with %s is not believed', async (_what, json) => {
    says(201, json)
    await expect(hetzner.create(wish)).rejects.toThrow(CloudUnreachable)
  })

  test('another success than the promised is none', async () => {
    says(200, { server, action: { id: 1, status: 'running', error: null } })
    await expect(hetzner.create(wish)).rejects.toThrow(CloudUnreachable)
    says(202, { error: { code: 'not_found', message: 'server not found' } })
    await expect(hetzner.destroy('7')).rejects.toThrow(CloudUnreachable)
  })

  test('pages without an end, and pages that run in circles', async () => {
    says(200, { servers: [server], meta: { pagination: { next_page: 2 } } })
    await expect(hetzner.list('home')).rejects.toThrow(CloudUnreachable)
    expect(liar.requests.length).toBeLessThan(250)
  })

  test.each<[string, string, RefusalKind]>([
    ['resource_unavailable', 'error during placement', 'stock'],
    ['resource_limit_exceeded', 'limit', 'quota'],
    ['locked', 'server is locked', 'busy'],
    ['unknown_error', 'server is locked', 'busy'],
    ['action_failed', 'Action failed', 'busy'],
    ['invalid_input', 'unsupported location for server type', 'stock'],
  ])('an action that failed with %s: %s', async (code, message, kind) => {
    says(200, { action: { id: 5, status: 'error', error: { code, message } } })
    expect(await hetzner.outcomeOf('5')).toMatchObject({ state: 'failed', refusal: { kind } })
  })

  test('another action than was asked for', async () => {
    says(200, { action: { id: 6, status: 'success', error: null } })
    await expect(hetzner.outcomeOf('5')).rejects.toThrow(CloudUnreachable)
  })
})
