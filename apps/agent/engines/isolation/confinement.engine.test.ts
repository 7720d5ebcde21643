import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { describeWith, xrayPath } from '../../../../test/support/engines/engines.ts'
import { namespaces, type Piece, programIn, xray } from '../../../../test/support/pieces.ts'
import { instanceOn } from '../../testing/personal-fixtures.ts'
import { configText } from '../personal/personal-instance.ts'
import { Child } from '../process/child.ts'
import { tryConfiguration } from '../xray/trial.ts'
import { Confinement } from './confinement.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
const run = promisify(execFile)

const siteProgram = `require('net').createServer((socket) => {
  socket.on('error', () => {}).end('HTTP/1.0 200 OK\\r\\n\\r\\nhello')
}).listen(8080, '::', () => console.log('ready'))`

const tools: Piece = {
  name: 'nft, curl, prlimit and setpriv',
  enable: 'install nftables, curl and util-linux to run them',
  find: () => {
    const paths = ['nft', 'curl', 'prlimit', 'setpriv'].map((name) =>
      programIn(['/usr/bin', '/usr/sbin'], name),
    )
    return paths.includes(null) ? null : (paths[0] ?? null)
  },
}

describeWith([namespaces, tools], 'the wall around confined programs', () => {
  const name = `spd-wall-${process.pid}`
  const neighbour = `${name}-far`
  const settings = `/etc/netns/${name}`
  const inside = (...command: string[]) => run('ip', ['netns', 'exec', name, ...command])
  let directory: string
  let site: ChildProcess

  const outcome = async (script: string, argument: string): Promise<object> => {
    const path = join(import.meta.dirname, script)
    return JSON.parse((await inside(process.execPath, path, directory, argument)).stdout) as object
  }
  const reached = (wish: 'open' | 'walled') => outcome('../../testing/confined-reach.ts', wish)

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sallyport-wall-'))
    await mkdir(settings, { recursive: true })
    await writeFile(join(settings, 'resolv.conf'), 'nameserver 127.0.0.53\n')
    await run('ip', ['netns', 'add', name])
    await inside('ip', 'link', 'set', 'lo', 'up')
    await run('ip', ['netns', 'add', neighbour])
    await inside('ip', 'link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'far', 'netns', neighbour)
    const addresses = ['203.0.113.1/24', '10.77.0.1/24', '169.254.1.1/16', '2001:db8::1/64', 'fd77::1/64']
    for (const address of addresses) {
      await inside(
        'ip',
        'address',
        'add',
        address,
        'dev',
        'near',
        ...(address.includes(':') ? ['nodad'] : []),
      )
    }
    await inside('ip', 'link', 'set', 'near', 'up')
    // Private ones too: what is said about the machine's own addresses does not close those of others.
    const others = ['203.0.113.2/24', '10.77.0.2/24', '169.254.169.254/16', '2001:db8::2/64', 'fd77::2/64']
    for (const address of others) {
      const settled = address.includes(':') ? ['nodad'] : []
      await run('ip', ['-n', neighbour, 'address', 'add', address, 'dev', 'far', ...settled])
    }
    await run('ip', ['-n', neighbour, 'link', 'set', 'far', 'up'])
    site = spawn('ip', ['netns', 'exec', neighbour, process.execPath, '-e', siteProgram])
    await new Promise((resolve) => site.stdout?.once('data', resolve))
  })
  afterAll(async () => {
    site.kill()
    await run('ip', ['netns', 'delete', name])
    await run('ip', ['netns', 'delete', neighbour])
    await rm(settings, { recursive: true })
    // Others may have theirs there, or have left with it.
    await rmdir('/etc/netns').catch(() => undefined)
    await rm(directory, { recursive: true })
  })

  const everything = {
    loopback: true,
    loopback6: true,
    private: true,
    private6: true,
    lan: true,
    lan6: true,
    metadata: true,
    own: true,
    own6: true,
    ownAllowed: true,
    public: true,
    public6: true,
    resolver: true,
    besideResolver: true,
    allowed: true,
    besideAllowed: true,
    limitation: null,
    recovers: true,
  }

  test('check 34: they reach the public internet and the resolver, and of private places only what is allowed', async () => {
    expect(await reached('walled')).toEqual({
      ...everything,
      loopback: false,
      loopback6: false,
      private: false,
      private6: false,
      lan: false,
      lan6: false,
      metadata: false,
      own: false,
      own6: false,
      besideResolver: false,
      besideAllowed: false,
    })
    expect((await inside('nft', 'list', 'tables')).stdout).toBe('')
  })

  test('without the wall they reach everything, so it is the wall that holds them', async () => {
    expect(await reached('open')).toEqual({ ...everything, recovers: false })
  })

  test.skipIf(xrayPath() === null)(
    'a customer of a personal Xray gets nowhere but to the internet',
    async () => {
      expect(
        await outcome('../../../../test/support/engines/personal-behind-wall.ts', xrayPath() ?? ''),
      ).toEqual({
        troubles: [],
        public: true,
        publicName: true,
        own: false,
        ownName: false,
        loopback: false,
        loopback6: false,
        private: false,
        privateName: false,
        lan: false,
        lanName: false,
        localhost: false,
      })
    },
  )
})

describeWith(tools, 'a confined program that only answers a question', () => {
  test('lets others go first, and ends when it has computed for too long', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sallyport-computing-'))
    const confinement = await Confinement.create({ directory, name: 'test', allowPrivateTargets: true })
    const cell = await confinement.admit('c1')
    const spawned = (script: string, cpuSeconds?: number) =>
      confinement.spawn(cell, '/bin/sh', {
        args: ['-c', script],
        ...(cpuSeconds !== undefined && { cpuSeconds }),
      })
    try {
      const niceness = (cpuSeconds?: number) =>
        new Child(spawned('echo "nice $(nice)"; exit 1', cpuSeconds), /^nice/).exited
      expect(await niceness(1)).toBe('exit code 1: nice 10')
      expect(await niceness()).toBe('exit code 1: nice 0')
      expect(await new Child(spawned('while :; do :; done', 1), /^$/).exited).toBe('killed by SIGKILL')
    } finally {
      confinement.release(cell)
      await rm(directory, { recursive: true })
    }
  })
})

describeWith([xray, namespaces, tools], 'the memory of confined programs', () => {
  test('one that takes too much dies alone', async () => {
    const binary = xrayPath() ?? ''
    const directory = await mkdtemp(join(tmpdir(), 'sallyport-memory-'))
    const confinement = await Confinement.create({ directory, name: 'test', allowPrivateTargets: true })
    const { access } = instanceOn('c1', 1024, 443)
    const text = configText(access, { apiPort: 1, allowPrivateTargets: true })
    const config = JSON.parse(text) as { routing: { rules: object[] } }
    const neighbourCell = await confinement.admit('c2')
    const neighbour = new Child(
      confinement.spawn(neighbourCell, '/usr/bin/tail', { args: ['-f', '/dev/null'] }),
      /^$/,
    )
    const domain = Array.from({ length: 1_500_000 }, (_, index) => `domain:example-${index}.com`)
    config.routing.rules.push({ domain, outboundTag: 'block' })
    try {
      expect(await tryConfiguration(binary, confinement, text)).toEqual({ isAccepted: true, reason: null })
      const verdict = await tryConfiguration(binary, confinement, JSON.stringify(config))
      expect(verdict).toMatchObject({
        isAccepted: false,
        reason: expect.stringMatching(/memory|more than \d+ s/),
      })
      const ended = await Promise.race([
        neighbour.exited,
        new Promise((resolve) => setTimeout(resolve, 200, 'alive')),
      ])
      expect(ended).toBe('alive')
    } finally {
      await neighbour.kill()
      await rm(directory, { recursive: true })
    }
  })
})
