import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type DigitalOceanStandIn,
  startDigitalOcean,
} from '../../../../../test/support/clouds/digitalocean.ts'
import { type ProviderReply, StandIn } from '../../../../../test/support/providers/stand-in.ts'
import { CloudRefusal, CloudUnreachable, type MachineWish, type RefusalKind } from '../../../ports/clouds.ts'
import { DigitalOcean } from './digitalocean.ts'

const token = 'dop_v1_token'
const wish: MachineWish = {
  name: 'srv-home-42',
  marks: { installation: 'home', order: 42, attempt: 2 },
  region: 'fra1',
  type: 's-1vcpu-1gb',
  image: 'ubuntu-24-04-x64',
  userData: '#cloud-config\npackages: [curl]\n',
}
const tags = ['sallyport', 'sallyport-home', 'sallyport-home-order-42', 'sallyport-home-attempt-2']

describe('what is sent', () => {
  let standIn: DigitalOceanStandIn
  let ocean: DigitalOcean
  beforeAll(async () => {
    standIn = await startDigitalOcean({ token })
    ocean = new DigitalOcean({ token, url: standIn.url })
  })
  afterAll(() => standIn.close())
  beforeEach(() => {
    standIn.calls.length = 0
  })
  const sent = () =>
    standIn.calls.map(({ method, path, query, body }) => {
      const line = `${method} ${path}${query.size > 0 ? `?${query}` : ''}`
      return body === '' ? line : [line, JSON.parse(body)]
    })

  test('to make a machine', async () => {
    await ocean.create(wish)
    expect(sent()).toEqual([
      [
        'POST /droplets',
        {
          name: 'srv-home-42',
          region: 'fra1',
          size: 's-1vcpu-1gb',
          image: 'ubuntu-24-04-x64',
          ipv6: true,
          user_data: '#cloud-config\npackages: [curl]\n',
          tags,
        },
      ],
    ])
    expect(standIn.calls[0]?.headers.authorization).toBe('Bearer dop_v1_token')
  })

  test('to find, to list, to work on it and to be rid of it', async () => {
    const [machine] = await ocean.find('srv-home-42', 'home')
    const ref = machine?.ref ?? ''
    await ocean.list('home')
    for (const act of [ocean.reboot, ocean.powerOff, ocean.powerOn]) {
      await ocean.outcomeOf((await act.call(ocean, ref)) ?? '')
      await ocean.show(ref)
    }
    expect(await ocean.destroy(ref)).toBeNull()
    expect(sent().filter((line) => !/^GET \/(actions|droplets\/)/.test(String(line)))).toEqual([
      'GET /droplets?name=srv-home-42&page=1&per_page=100',
      'GET /droplets?tag_name=sallyport-home&page=1&per_page=100',
      [`POST /droplets/${ref}/actions`, { type: 'reboot' }],
      [`POST /droplets/${ref}/actions`, { type: 'power_off' }],
      [`POST /droplets/${ref}/actions`, { type: 'power_on' }],
      `DELETE /droplets/${ref}`,
    ])
  })

  test('offers: sizes in their regions, closed regions too', async () => {
    const offers = await ocean.offers()
    expect(offers).toHaveLength(6)
    expect(offers[0]).toEqual({
      region: 'fra1',
      type: 's-1vcpu-1gb',
      title: 'Basic s-1vcpu-1gb',
      cores: 1,
      memoryMb: 1024,
      diskGb: 25,
      monthlyCost: 600,
      currency: 'USD',
      isInStock: true,
    })
    expect(offers.find(({ region }) => region === 'nyc2')?.isInStock).toBe(false)
    expect(offers.find(({ type }) => type === 's-2vcpu-4gb-amd')?.monthlyCost).toBe(2880)
  })

  test('a closed region is out of stock', async () => {
    await expect(ocean.create({ ...wish, region: 'nyc2' })).rejects.toMatchObject({ kind: 'stock' })
  })

  test('lists that come behind: a droplet is shown before it is found', async () => {
    standIn.listsBehind = 2
    const { machine } = await ocean.create({ ...wish, name: 'srv-home-43' })
    standIn.listsBehind = 0
    expect(await ocean.find('srv-home-43', 'home')).toEqual([])
    expect(await ocean.show(machine.ref)).toMatchObject({ marks: wish.marks })
    expect(await ocean.find('srv-home-43', 'home')).toEqual([])
    expect(await ocean.find('srv-home-43', 'home')).toHaveLength(1)
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
  let ocean: DigitalOcean
  beforeAll(async () => {
    await liar.start()
    ocean = new DigitalOcean({ token, url: liar.url })
  })
  afterAll(() => liar.stop())
  const says = (status: number, json: unknown) => {
    liar.reply = { status, json }
  }

  test.each<[number, string, RefusalKind | 'unknown']>([
    [401, 'Unable to authenticate you', 'account'],
    [402, 'Payment required', 'account'],
    [403, 'You do not have access for the attempted action.', 'account'],
    [403, 'creating this/these droplet(s) will exceed your droplet limit', 'quota'],
    [422, 'creating this/these droplet(s) will exceed your droplet limit', 'quota'],
    [422, 'Size is not available in this region.', 'stock'],
    [422, 'Region is not available', 'stock'],
    [422, 'The image you specified is not available in the selected region.', 'stock'],
    [422, 'size is unavailable', 'stock'],
    [422, 'Droplet already has a pending event.', 'busy'],
    [409, 'The resource is in another state', 'busy'],
    [404, 'The resource you were accessing could not be found.', 'gone'],
    [404, 'Region is not available', 'gone'],
    [422, 'You specified an invalid size for Droplet creation.', 'invalid'],
    [422, 'Name Only valid hostname characters are allowed.', 'invalid'],
    [400, 'bad request', 'invalid'],
    [418, 'teapot', 'invalid'],
    [408, 'timeout', 'unknown'],
    [500, 'Region is not available', 'unknown'],
    [502, 'bad gateway', 'unknown'],
    [503, 'unavailable', 'unknown'],
  ])('%i, %s: %s', async (status, message, kind) => {
    says(status, { id: 'unprocessable_entity', message, request_id: 'x' })
    const asked = ocean.reboot('1')
    if (kind === 'unknown') await expect(asked).rejects.toThrow(CloudUnreachable)
    else await expect(asked).rejects.toMatchObject({ name: 'CloudRefusal', kind })
  })

  test('nothing is gone when a machine is made, and a tag that nobody has yet is an empty list', async () => {
    says(404, { id: 'not_found', message: 'The resource you were accessing could not be found.' })
    await expect(ocean.create(wish)).rejects.toMatchObject({ kind: 'invalid' })
    expect(await ocean.list('home')).toEqual([])
    await expect(ocean.find('srv-home-42', 'home')).rejects.toMatchObject({ kind: 'gone' })
  })

  test('an error that repeats the token', async () => {
    says(422, { id: 'unprocessable_entity', message: `what is ${token}?` })
    const error = await ocean.reboot('1').catch((reason: unknown) => reason as Error)
    expect(error).toBeInstanceOf(CloudRefusal)
    expect((error as Error).message).toBe(
      'DigitalOcean: refused with 422: unprocessable_entity, what is ***?',
    )
  })

  const droplet = {
    id: 7,
    name: 'srv-home-42',
    status: 'active',
    created_at: '2026-11-01T10:00:00Z',
    tags,
    networks: {
      v4: [
        { ip_address: '10.0.0.7', type: 'private' },
        { ip_address: '198.51.100.7', type: 'public' },
      ],
      v6: [{ ip_address: '2001:db8::7', type: 'public' }],
    },
  }
  const shown = (changes: object) => {
    says(200, { droplet: { ...droplet, ...changes } })
    return ocean.show('7')
  }

  test('the droplet that the next ones are bent from is good', async () => {
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
    ['new', 'starting'],
    ['active', 'running'],
    ['off', 'off'],
    ['archive', 'unknown'],
    ['constructor', 'unknown'],
  ])('a droplet that is %s is %s', async (status, state) => {
    expect((await shown({ status }))?.state).toBe(state)
  })

  test('without public IPv4 it has no address yet', async () => {
    const v4 = droplet.networks.v4.slice(0, 1)
    expect((await shown({ networks: { v4, v6: droplet.networks.v6 } }))?.address).toBeNull()
  })

  test.each<[string, string[]]>([
    ['none', []],
    ['others', ['web', 'env:prod']],
    ['no order', tags.filter((tag) => !tag.includes('order'))],
    ['no attempt', tags.filter((tag) => !tag.includes('attempt'))],
    ['no installation', tags.filter((tag) => tag !== 'sallyport-home')],
    ['those of two orders', [...tags, 'sallyport-home-order-43']],
    ['an attempt of another', [...tags.slice(0, 3), 'sallyport-away-attempt-2']],
    ['a strange installation', tags.map((tag) => tag.replace('home', 'Home'))],
  ])('tags that are not ours: %s', async (_what, strange) => {
    expect((await shown({ tags: strange }))?.marks).toBeNull()
    says(200, { droplets: [{ ...droplet, tags: strange }], links: {}, meta: { total: 1 } })
    expect(await ocean.list('home')).toEqual([])
    expect(await ocean.find('srv-home-42', 'home')).toEqual([])
  })

  test('tags that others put beside ours do no harm', async () => {
    expect((await shown({ tags: [...tags, 'web'] }))?.marks?.order).toBe(42)
  })

  test('a name in other capitals is another name', async () => {
    says(200, { droplets: [{ ...droplet, name: 'SRV-home-42' }], links: {} })
    expect(await ocean.find('srv-home-42', 'home')).toEqual([])
  })

  test.each<[string, unknown]>([
    ['nothing', null],
    ['another droplet', { droplet: { ...droplet, id: 8 } }],
    ['an id that is a word', { droplet: { ...droplet, id: '7' } }],
    ['no tags', { droplet: { ...droplet, tags: null } }],
    ['no networks', { droplet: { ...droplet, networks: undefined } }],
    ['a time that is none', { droplet: { ...droplet, created_at: '' } }],
    [
      'an address that is none',
      { droplet: { ...droplet, networks: { v4: [{ ip_address: 'evil.example', type: 'public' }], v6: [] } } },
    ],
  ])('%s is not a droplet', async (_what, json) => {
    says(200, json)
    await expect(ocean.show('7')).rejects.toThrow(CloudUnreachable)
  })

  test('a created droplet comes without its tags and its action, and never with another name', async () => {
    says(202, { droplet: { ...droplet, tags: [] } })
    expect(await ocean.create(wish)).toMatchObject({ machine: { marks: wish.marks }, action: null })
    says(202, { droplet: { ...droplet, name: 'srv-home-43' }, links: {} })
    await expect(ocean.create(wish)).rejects.toThrow(CloudUnreachable)
    says(200, { droplet, links: {} })
    await expect(ocean.create(wish)).rejects.toThrow(CloudUnreachable)
  })

  test('pages without an end', async () => {
    says(200, { droplets: [droplet], links: { pages: { next: 'https://elsewhere.example/2' } } })
    liar.requests.length = 0
    await expect(ocean.list('home')).rejects.toThrow(CloudUnreachable)
    expect(liar.requests).toHaveLength(200)
  })

  test('what is refused, and is not so already, stays refused', async () => {
    says(422, { id: 'unprocessable_entity', message: 'no' })
    await expect(ocean.powerOff('7')).rejects.toMatchObject({ kind: 'invalid' })
  })

  test('an action that failed, and another than was asked for', async () => {
    says(200, { action: { id: 5, status: 'errored', type: 'reboot' } })
    expect(await ocean.outcomeOf('5')).toMatchObject({ state: 'failed', refusal: { kind: 'busy' } })
    await expect(ocean.outcomeOf('6')).rejects.toThrow(CloudUnreachable)
  })
})
