import { describe, expect, test, vi } from 'vitest'
import { Targets, type TargetsOptions } from './targets.ts'

const site = 'www.shop.com:443'
const own = 'www.own.com:443'
const inbounds = [] as const

/** Resolvers that answer what the test says at the moment, and a timer that rings when it says so. */
const setUp = (options: Partial<TargetsOptions> = {}) => {
  const answers: Record<string, readonly string[] | Error> = {}
  const resolve = vi.fn(async (name: string) => {
    const answer = answers[name] ?? new Error('there is no such name')
    if (answer instanceof Error) throw answer
    return answer
  })
  let ring = (): void => {}
  let isStopped = false
  const every = (work: () => void) => {
    ring = work
    return () => {
      isStopped = true
    }
  }
  const targets = new Targets({ hasWall: true, allowPrivateTargets: false, resolve, every, ...options })
  const onMove = vi.fn()
  const inUse = [site]
  targets.watch(() => inUse, onMove)
  const look = async () => {
    ring()
    await vi.waitFor(() => new Promise((resolve) => setImmediate(resolve)))
  }
  const start = async (target = site) => {
    const settled = await targets.settle(target)
    targets.keep(target, settled)
    return settled
  }
  return { targets, answers, resolve, look, onMove, inUse, start, isStopped: () => isStopped }
}

describe('with a wall', () => {
  test('a name goes by an address of its own that was looked at', async () => {
    const { targets, answers } = setUp()
    answers['www.shop.com'] = ['2001:db8::7', '203.0.113.7', '203.0.113.8']
    expect(await targets.settle(site)).toBe('203.0.113.7:443')
    answers['www.shop.com'] = ['2001:db8::7']
    expect(await targets.settle(site)).toBe('[2001:db8::7]:443')
  })

  test.each([
    [['127.0.0.1']],
    [['::ffff:127.0.0.1']],
    [['169.254.169.254']],
    [['fd00::1']],
    [['::1']],
    [['203.0.113.7', '10.0.0.1']],
    [['203.0.113.7', 'fd00::1']],
    [['64:ff9b::7f00:1']],
  ])('a name that leads to %j is refused', async (addresses) => {
    const { targets, answers } = setUp()
    answers['www.shop.com'] = addresses
    const refusal = await targets.settle(site).catch((error: Error) => error.message)
    expect(refusal).toContain('not public')
    // What the resolvers of the server know is not the customer's business.
    for (const address of addresses) expect(refusal).not.toContain(address)
  })

  test.each([
    ['10.0.0.1:443', 'not a public address'],
    ['[::1]:443', 'not a public address'],
    ['kubernetes.default.svc:443', 'cannot be used'],
    ['metadata.google.internal:443', 'cannot be used'],
    ['www.shop.com.:443', 'cannot be used'],
    ['nonsense', 'cannot be used'],
    ['www.gone.com:443', 'cannot be resolved here (there is no such name)'],
  ])('%s is refused without being visited', async (target, reason) => {
    const { targets } = setUp()
    await expect(targets.settle(target)).rejects.toThrow(reason)
  })

  test("the server's own need no look, whatever they lead to and however they are written", async () => {
    const { targets, resolve } = setUp()
    targets.learn({ inbounds, ownTargets: [own, '10.0.0.1:443'] })
    expect(await targets.settle('WWW.own.com:443')).toBe('WWW.own.com:443')
    expect(await targets.settle('10.0.0.1:443')).toBe('10.0.0.1:443')
    expect(resolve).not.toHaveBeenCalled()
    expect(targets.areOwnOnly).toBe(false)
  })
})

describe('a site that moves', () => {
  test('is followed when its address is no longer one of the answers, and not before', async () => {
    const { targets, answers, look, onMove, start } = setUp()
    answers['www.shop.com'] = ['203.0.113.7']
    const settled = await start()
    answers['www.shop.com'] = ['203.0.113.8', '203.0.113.7']
    await look()
    expect(onMove).not.toHaveBeenCalled()
    expect(await targets.settle(site)).toBe(settled)
    answers['www.shop.com'] = ['203.0.113.8']
    await look()
    expect(onMove).toHaveBeenCalledOnce()
    expect(targets.isStale(site, settled)).toBe(true)
    expect(targets.isStale(site, await start())).toBe(false)
  })

  test.each([
    ['a resolver that fails', new Error('the resolvers of the server do not answer')],
    ['a name that now leads inside', ['127.0.0.1']],
    ['a name that leads inside too', ['203.0.113.8', '10.0.0.1']],
    ['a name without addresses', []],
  ])('stays where it was for %s', async (_, answer) => {
    const { targets, answers, look, onMove, start } = setUp()
    answers['www.shop.com'] = ['203.0.113.7']
    const settled = await start()
    answers['www.shop.com'] = answer
    await look()
    expect(onMove).not.toHaveBeenCalled()
    expect(targets.isStale(site, settled)).toBe(false)
  })

  test('a program that starts again does so where it was while nobody can say, and not inside', async () => {
    const { answers, start } = setUp()
    answers['www.shop.com'] = ['203.0.113.7']
    await start()
    answers['www.shop.com'] = new Error('the resolvers of the server do not answer')
    expect(await start()).toBe('203.0.113.7:443')
    answers['www.shop.com'] = ['127.0.0.1']
    await expect(start()).rejects.toThrow('not public')
  })

  test('what nobody uses any more is not looked at', async () => {
    const { targets, answers, resolve, look, inUse, start, isStopped } = setUp()
    answers['www.shop.com'] = ['203.0.113.7']
    await start()
    inUse.length = 0
    resolve.mockClear()
    await look()
    expect(resolve).not.toHaveBeenCalled()
    targets.stop()
    expect(isStopped()).toBe(true)
  })
})

describe('without a wall', () => {
  test('only the sites of the server are borrowed', async () => {
    const { targets, answers } = setUp({ hasWall: false })
    targets.learn({ inbounds, ownTargets: [own] })
    answers['www.shop.com'] = ['203.0.113.7']
    expect(targets.areOwnOnly).toBe(true)
    expect(await targets.settle(own)).toBe(own)
    await expect(targets.settle(site)).rejects.toThrow('not a site of this server')
  })

  test('a service that does not say which those are has all of them looked at, and none turned away', async () => {
    const { targets, answers } = setUp({ hasWall: false })
    const reality = { target: own, server_names: [], private_key: '', short_ids: [] }
    targets.learn({
      inbounds: [{ tag: 'vless-1', protocol: 'vless', listen: '::', port: 443, reality }],
      ownTargets: undefined,
    })
    answers['www.shop.com'] = ['203.0.113.7']
    expect(targets.areOwnOnly).toBe(false)
    expect(await targets.settle(own)).toBe(own)
    expect(await targets.settle(site)).toBe('203.0.113.7:443')
    answers['www.shop.com'] = ['127.0.0.1']
    await expect(targets.settle(site)).rejects.toThrow('not public')
  })

  test('what was started before the service said so must not go on', async () => {
    const { targets, answers, start } = setUp({ hasWall: false })
    answers['www.shop.com'] = ['203.0.113.7']
    const settled = await start()
    targets.learn({ inbounds, ownTargets: [own] })
    expect(targets.isStale(site, settled)).toBe(true)
    targets.learn({ inbounds, ownTargets: [own, site] })
    expect(targets.isStale(site, settled)).toBe(false)
  })

  test('an operator who opens private networks opens them here too', async () => {
    const { targets } = setUp({ hasWall: false, allowPrivateTargets: true })
    targets.learn({ inbounds, ownTargets: [] })
    expect(await targets.settle('127.0.0.1:8443')).toBe('127.0.0.1:8443')
    expect(targets.areOwnOnly).toBe(false)
  })
})
