import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CloudStandIn } from '../../../../test/support/clouds/cloud-stand-in.ts'
import { startDigitalOcean } from '../../../../test/support/clouds/digitalocean.ts'
import type { Fault } from '../../../../test/support/clouds/faults.ts'
import { startHetzner } from '../../../../test/support/clouds/hetzner.ts'
import {
  type ActionRef,
  type CloudProvider,
  CloudRefusal,
  CloudUnreachable,
  type MachineWish,
  type RefusalKind,
} from '../../ports/clouds.ts'
import type { CloudOptions } from './cloud-http.ts'
import { DigitalOcean } from './digitalocean/digitalocean.ts'
import { Hetzner } from './hetzner/hetzner.ts'

/** What whoever rents machines may rely on, whoever has them. */

const token = 'token-that-nobody-may-see'

const clouds = [
  {
    name: 'Hetzner',
    start: () => startHetzner({ token }),
    make: (options: CloudOptions): CloudProvider => new Hetzner(options),
    goods: { region: 'fsn1', type: 'cx23', image: 'ubuntu-24.04' },
    otherRegion: 'nbg1',
    hasUniqueNames: true,
    maxUserDataBytes: 32 * 1024,
  },
  {
    name: 'DigitalOcean',
    start: () => startDigitalOcean({ token }),
    make: (options: CloudOptions): CloudProvider => new DigitalOcean(options),
    goods: { region: 'fra1', type: 's-1vcpu-1gb', image: 'ubuntu-24-04-x64' },
    otherRegion: 'ams3',
    hasUniqueNames: false,
    maxUserDataBytes: 64 * 1024,
  },
]

describe.each(clouds)('$name', (one) => {
  let standIn: CloudStandIn
  let cloud: CloudProvider
  /** Does not wait for those who will never answer. */
  let hasty: CloudProvider
  let made = 0
  beforeAll(async () => {
    standIn = await one.start()
    cloud = one.make({ token, url: standIn.url })
    hasty = one.make({ token, url: standIn.url, timeoutMs: 600 })
  })
  afterAll(() => standIn.close())
  beforeEach(() => {
    standIn.faults.clear()
    standIn.calls.length = 0
  })

  const aWish = (changes: Partial<MachineWish> = {}): MachineWish => {
    const order = ++made
    return {
      name: `srv-${order}`,
      marks: { installation: 'home', order, attempt: 1 },
      userData: '#cloud-config\nruncmd: [[touch, /made]]\n',
      ...one.goods,
      ...changes,
    }
  }
  const ended = async (action: ActionRef) => {
    for (let look = 0; action !== null && look < 5; look++) {
      const outcome = await cloud.outcomeOf(action)
      if (outcome.state !== 'running') return outcome
    }
    return { state: action === null ? 'done' : 'running' }
  }
  const running = async (wish = aWish()) => {
    const { machine, action } = await cloud.create(wish)
    expect(await ended(action)).toEqual({ state: 'done' })
    return { wish, ref: machine.ref }
  }
  const keptAs = (name: string) => standIn.machines().filter((machine) => machine.name === name)
  const errorOf = async (asked: Promise<unknown>): Promise<Error> => {
    const error = await asked.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(Error)
    expect((error as Error).message).not.toContain(token)
    expect((error as Error).stack).not.toContain(token)
    return error as Error
  }
  const refused = async (asked: Promise<unknown>, kind: RefusalKind): Promise<CloudRefusal> => {
    const error = await errorOf(asked)
    expect(error).toBeInstanceOf(CloudRefusal)
    expect((error as CloudRefusal).kind, error.message).toBe(kind)
    return error as CloudRefusal
  }
  const unanswered = async (asked: Promise<unknown>): Promise<void> => {
    expect(await errorOf(asked)).toBeInstanceOf(CloudUnreachable)
  }

  test('a machine is made, comes up, and is shown with its marks and address', async () => {
    const wish = aWish({ marks: { installation: 'home', order: 77, attempt: 3 } })
    const before = Math.floor(Date.now() / 1000)
    const { machine, action } = await cloud.create(wish)
    expect(machine).toMatchObject({ name: wish.name, marks: wish.marks, state: 'starting' })
    expect(action).toMatch(/^\d+$/)
    expect(await cloud.outcomeOf(action ?? '')).toEqual({ state: 'running' })
    expect(await ended(action)).toEqual({ state: 'done' })
    const shown = await cloud.show(machine.ref)
    expect(shown).toEqual({
      ref: machine.ref,
      name: wish.name,
      marks: wish.marks,
      state: 'running',
      address: expect.stringMatching(/^198\.51\.100\.\d+$/),
      createdAt: expect.any(Number),
    })
    expect(shown?.createdAt).toBeGreaterThanOrEqual(before)
    expect(keptAs(wish.name)).toMatchObject([{ userData: wish.userData, ...one.goods }])
  })

  test('reboot, off and on: each ends, and the machine is as it should be', async () => {
    const { ref } = await running()
    expect(await ended(await cloud.reboot(ref))).toEqual({ state: 'done' })
    expect(await ended(await cloud.powerOff(ref))).toEqual({ state: 'done' })
    expect((await cloud.show(ref))?.state).toBe('off')
    expect(await ended(await cloud.powerOff(ref))).toEqual({ state: 'done' })
    expect(await ended(await cloud.powerOn(ref))).toEqual({ state: 'done' })
    expect((await cloud.show(ref))?.state).toBe('running')
    expect(await ended(await cloud.powerOn(ref))).toEqual({ state: 'done' })
  })

  test('destroyed, it is gone; and again, it is no error', async () => {
    const { ref, wish } = await running()
    expect(await ended(await cloud.destroy(ref))).toEqual({ state: 'done' })
    expect(await cloud.show(ref)).toBeUndefined()
    expect(await cloud.find(wish.name, 'home')).toEqual([])
    expect(await cloud.destroy(ref)).toBeNull()
    expect(keptAs(wish.name)).toMatchObject([{ state: 'deleted', deletedAt: expect.any(Number) }])
  })

  test('a machine that vanished is nowhere, and what was being done to it is not known', async () => {
    const wish = aWish()
    const { machine } = await cloud.create(wish)
    standIn.vanish(Number(machine.ref))
    expect(await cloud.show(machine.ref)).toBeUndefined()
    expect(await cloud.find(wish.name, 'home')).toEqual([])
    await refused(cloud.reboot(machine.ref), 'gone')
    await refused(cloud.powerOff(machine.ref), 'gone')
    expect(await cloud.destroy(machine.ref)).toBeNull()
  })

  test.each([
    '',
    '0',
    '-1',
    'abc',
    '..',
    '1/actions',
    '9'.repeat(30),
  ])('there is no machine %j', async (ref) => {
    standIn.calls.length = 0
    expect(await cloud.show(ref)).toBeUndefined()
    expect(await cloud.destroy(ref)).toBeNull()
    await refused(cloud.powerOn(ref), 'gone')
    await refused(cloud.outcomeOf(ref), 'gone')
    expect(standIn.calls).toEqual([])
  })

  test('an action that nobody began is not known', async () => {
    await refused(cloud.outcomeOf('424242'), 'gone')
  })

  test('a name is unique, or two machines are found by it', async () => {
    const { wish, ref } = await running()
    const again = cloud.create({ ...wish, marks: { ...wish.marks, attempt: 2 } })
    if (one.hasUniqueNames) await refused(again, 'taken')
    else await again
    const found = await cloud.find(wish.name, 'home')
    expect(found.map((machine) => machine.marks?.attempt)).toEqual(one.hasUniqueNames ? [1] : [1, 2])
    expect(found[0]?.ref).toBe(ref)
  })

  test('only this installation’s machines are listed and found, over many pages', async () => {
    const marks = (order: number) => ({ installation: 'crowd', order, attempt: 1 })
    for (let order = 1; order <= 105; order++) {
      await cloud.create(aWish({ name: `crowd-${order}`, marks: marks(order) }))
    }
    const strangers = { installation: 'crowd-2', order: 1, attempt: 1 }
    await cloud.create(aWish({ name: 'another-crowd-1', marks: strangers }))
    const listed = await cloud.list('crowd')
    expect(listed).toHaveLength(105)
    expect(new Set(listed.map(({ ref }) => ref)).size).toBe(105)
    expect(listed.every((machine) => machine.marks?.installation === 'crowd')).toBe(true)
    expect(await cloud.find('crowd-7', 'crowd')).toMatchObject([{ marks: marks(7) }])
    expect(await cloud.find('another-crowd-1', 'crowd')).toEqual([])
    expect(await cloud.list('crowd-2')).toMatchObject([{ marks: strangers }])
    expect(await cloud.list('nobody')).toEqual([])
  })

  describe('what no provider is asked for', () => {
    test.each<[string, Partial<MachineWish>]>([
      ['a name with a space', { name: 'a b' }],
      ['a name with capitals', { name: 'Srv' }],
      ['a long name', { name: 'a'.repeat(64) }],
      ['an installation with capitals', { marks: { installation: 'Home', order: 1, attempt: 1 } }],
      ['an installation like an order', { marks: { installation: 'a-order-1', order: 1, attempt: 1 } }],
      ['an empty installation', { marks: { installation: '', order: 1, attempt: 1 } }],
      ['no order', { marks: { installation: 'home', order: 0, attempt: 1 } }],
      ['half an attempt', { marks: { installation: 'home', order: 1, attempt: 0.5 } }],
      ['too much user data', { userData: 'я'.repeat(one.maxUserDataBytes / 2 + 1) }],
    ])('%s', async (_what, changes) => {
      await refused(cloud.create(aWish(changes)), 'invalid')
      expect(standIn.calls).toEqual([])
    })

    test('as much user data as there may be is sent', async () => {
      const wish = aWish({ userData: 'я'.repeat(one.maxUserDataBytes / 2) })
      await cloud.create(wish)
      expect(keptAs(wish.name)[0]?.userData).toBe(wish.userData)
    })

    test('a list of an installation that cannot be', async () => {
      await refused(cloud.list('a=b,!c'), 'invalid')
      await refused(cloud.find('srv-1', 'a&b'), 'invalid')
      expect(standIn.calls).toEqual([])
    })
  })

  describe('refusals', () => {
    test.each<[Fault, RefusalKind]>([
      [{ kind: 'quota' }, 'quota'],
      [{ kind: 'stock' }, 'stock'],
      [{ kind: 'unauthorized' }, 'account'],
      [{ kind: 'forbidden' }, 'account'],
      [{ kind: 'busy' }, 'busy'],
      [{ kind: 'rate' }, 'rate'],
    ])('$kind', async (fault, kind) => {
      const wish = aWish()
      standIn.faults.once('create', fault)
      await refused(cloud.create(wish), kind)
      expect(keptAs(wish.name)).toEqual([])
      await cloud.create(wish)
      expect(keptAs(wish.name)).toHaveLength(1)
    })

    test('a wrong token', async () => {
      const other = one.make({ token: `${token}-of-another`, url: standIn.url })
      await refused(other.list('home'), 'account')
    })

    test('an image, a type and a region that are not there', async () => {
      await refused(cloud.create(aWish({ image: 'plan9' })), 'invalid')
      await refused(cloud.create(aWish({ type: 'huge' })), 'invalid')
      await refused(cloud.create(aWish({ region: 'moon' })), 'invalid')
    })

    test('out of stock here and not elsewhere, as the offers say too', async () => {
      standIn.faults.outOfStock({ type: one.goods.type, region: one.goods.region })
      await refused(cloud.create(aWish()), 'stock')
      await cloud.create(aWish({ region: one.otherRegion }))
      const had = (await cloud.offers()).filter((offer) => offer.type === one.goods.type && offer.isInStock)
      expect(had.map(({ region }) => region)).not.toContain(one.goods.region)
      expect(had.map(({ region }) => region)).toContain(one.otherRegion)
    })

    test('a machine that is being worked on is busy until it is done', async () => {
      const { machine, action } = await cloud.create(aWish())
      await refused(cloud.powerOff(machine.ref), 'busy')
      await ended(action)
      await cloud.powerOff(machine.ref)
    })

    test('too many questions, and when to ask again', async () => {
      const asked = async (fault: Fault) => {
        standIn.faults.once('show', fault)
        return (await refused(cloud.show('1'), 'rate')).retryAfterSeconds
      }
      expect(await asked({ kind: 'rate', retryAfterSeconds: 7 })).toBe(7)
      expect(await asked({ kind: 'rate', retryAfterSeconds: 0 })).toBe(1)
      const wait = await asked({ kind: 'rate', resetInSeconds: 30 })
      expect(wait).toBeGreaterThanOrEqual(29)
      expect(wait).toBeLessThanOrEqual(31)
      expect(await asked({ kind: 'rate', resetInSeconds: 1_000_000 })).toBeLessThanOrEqual(3600)
      expect(await asked({ kind: 'rate', resetInSeconds: -50 })).toBe(1)
    })
  })

  describe('no whole answer', () => {
    const broken: Fault[] = [
      { kind: 'status', status: 500 },
      { kind: 'status', status: 502 },
      { kind: 'status', status: 503 },
      { kind: 'html' },
      { kind: 'html', status: 403 },
      { kind: 'html', status: 404 },
      { kind: 'html', status: 502 },
      { kind: 'not-json' },
      { kind: 'truncated' },
      { kind: 'huge' },
      { kind: 'redirect' },
      { kind: 'reset' },
      { kind: 'silence' },
    ]
    const waiting = ({ kind }: Fault) => (kind === 'silence' ? hasty : cloud)
    test.each(broken)('%j: nothing was made, and the next attempt makes it', async (fault) => {
      const wish = aWish()
      standIn.faults.once('create', fault)
      await unanswered(waiting(fault).create(wish))
      expect(await cloud.find(wish.name, 'home')).toEqual([])
      await cloud.create(wish)
      expect(await cloud.find(wish.name, 'home')).toHaveLength(1)
    })

    test.each(broken)('%j after it was made: it is found', async (fault) => {
      const wish = aWish()
      standIn.faults.once('create', { ...fault, after: true } as Fault)
      await unanswered(waiting(fault).create(wish))
      expect(await cloud.find(wish.name, 'home')).toMatchObject([{ marks: wish.marks }])
      expect(keptAs(wish.name)).toHaveLength(1)
    })

    test('made long after nobody waited any more', async () => {
      const wish = aWish()
      standIn.faults.once('create', { kind: 'late', seconds: 60 })
      await unanswered(hasty.create(wish))
      expect(await cloud.find(wish.name, 'home')).toEqual([])
      standIn.deliverLate()
      expect(await cloud.find(wish.name, 'home')).toMatchObject([{ marks: wish.marks }])
    })

    test('of every question, and a page of something in between is never «gone»', async () => {
      const { ref, wish } = await running()
      for (const fault of broken.filter(({ kind }) => kind !== 'silence')) {
        standIn.faults.always('*', fault)
        await unanswered(cloud.show(ref))
        await unanswered(cloud.find(wish.name, 'home'))
        await unanswered(cloud.list('home'))
        await unanswered(cloud.reboot(ref))
        await unanswered(cloud.powerOff(ref))
        await unanswered(cloud.powerOn(ref))
        await unanswered(cloud.destroy(ref))
        await unanswered(cloud.outcomeOf('1'))
        await unanswered(cloud.offers())
        standIn.faults.clear()
      }
      expect((await cloud.show(ref))?.state).toBe('running')
    })

    test('nobody there', async () => {
      const nobody = one.make({ token, url: 'http://127.0.0.1:1' })
      await unanswered(nobody.create(aWish()))
    })

    test('destroyed, and the answer was lost', async () => {
      const { ref } = await running()
      standIn.faults.once('destroy', { kind: 'reset', after: true })
      await unanswered(cloud.destroy(ref))
      for (let look = 0; look < 3; look++) await cloud.show(ref)
      expect(await cloud.destroy(ref)).toBeNull()
    })
  })

  describe('what takes its time', () => {
    test('longer than usual, or for ever', async () => {
      standIn.faults.once('create', { kind: 'slow', looks: 4 })
      const slow = await cloud.create(aWish())
      for (let look = 0; look < 4; look++) {
        expect(await cloud.outcomeOf(slow.action ?? '')).toEqual({ state: 'running' })
      }
      expect(await cloud.outcomeOf(slow.action ?? '')).toEqual({ state: 'done' })
      standIn.faults.once('create', { kind: 'slow', looks: 'never' })
      const never = await cloud.create(aWish())
      for (let look = 0; look < 20; look++) await cloud.outcomeOf(never.action ?? '')
      expect((await cloud.show(never.machine.ref))?.state).toBe('starting')
    })

    test('an action that ends in an error says so', async () => {
      const { ref } = await running()
      standIn.faults.once('reboot', { kind: 'action-error', code: 'action_failed', message: `no ${token}` })
      const outcome = await ended(await cloud.reboot(ref))
      expect(outcome).toMatchObject({ state: 'failed', refusal: { kind: 'busy' } })
      expect(JSON.stringify(outcome)).not.toContain(token)
    })
  })

  test('a token with a line break is refused without being told', () => {
    const make = () => one.make({ token: 'secret\nx: y' })
    expect(make).toThrow(one.name)
    expect(make).not.toThrow(/secret/)
  })
})
