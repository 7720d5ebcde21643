import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, rmdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { describeWith, mtgPath, xrayPath } from '../../../../test/support/engines/engines.ts'
import { mtg, namespaces, type Piece, programIn, xray } from '../../../../test/support/pieces.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })
const run = promisify(execFile)

const nft: Piece = {
  name: 'nft',
  enable: 'install nftables to run them',
  find: () => programIn(['/usr/bin', '/usr/sbin'], 'nft'),
}

/** Says at which of its addresses it was visited. */
const siteProgram = `require('net').createServer((socket) => {
  socket.on('error', () => {}).end('from ' + socket.localAddress)
}).listen(443, '0.0.0.0', () => console.log('ready'))`

const inside = '127.0.0.1'
const [first, second] = ['203.0.113.2', '203.0.113.3']
const notPublic = 'rebind.example.com leads to an address that is not public: name another site'
const notOwn = expect.stringContaining('rebind.example.com:443 is not a site of this server')

describeWith([xray, mtg, namespaces, nft], 'where strangers are sent', () => {
  const name = `spd-sites-${process.pid}`
  const internet = `${name}-far`
  const settings = `/etc/netns/${name}`
  const inServer = (...command: string[]) => run('ip', ['netns', 'exec', name, ...command])
  let directory: string
  let site: ChildProcess

  /** A file that cannot be executed lies over nft where there is to be no wall. */
  const outcome = async (isWalled: boolean) => {
    const script = join(import.meta.dirname, '../../../../test/support/engines/borrowed-sites.ts')
    const program = [process.execPath, script, directory, xrayPath() ?? '', mtgPath() ?? '']
    const hide = `mount --bind /dev/null ${nft.find()} && exec "$@"`
    const command = isWalled ? program : ['unshare', '--mount', 'sh', '-c', hide, 'sh', ...program]
    return JSON.parse((await inServer(...command)).stdout)
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sallyport-sites-'))
    await mkdir(settings, { recursive: true })
    await writeFile(join(settings, 'resolv.conf'), 'nameserver 127.0.0.53\n')
    for (const one of [name, internet]) await run('ip', ['netns', 'add', one])
    await inServer('ip', 'link', 'set', 'lo', 'up')
    await inServer('ip', 'link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'far', 'netns', internet)
    await inServer('ip', 'address', 'add', '203.0.113.1/24', 'dev', 'near')
    await inServer('ip', 'link', 'set', 'near', 'up')
    for (const address of [first, second]) {
      await run('ip', ['-n', internet, 'address', 'add', `${address}/24`, 'dev', 'far'])
    }
    await run('ip', ['-n', internet, 'link', 'set', 'far', 'up'])
    site = spawn('ip', ['netns', 'exec', internet, process.execPath, '-e', siteProgram])
    await new Promise((resolve) => site.stdout?.once('data', resolve))
  })
  afterAll(async () => {
    site.kill()
    for (const one of [name, internet]) await run('ip', ['netns', 'delete', one])
    await rm(settings, { recursive: true })
    if ((await readdir('/etc/netns')).length === 0) await rmdir('/etc/netns')
    await rm(directory, { recursive: true })
  })

  test('without a wall: to sites of the server, and to no other', async () => {
    const own = { c1: '', s1: '', c2: inside, s2: inside }
    const { atFirst, verdicts, notSaid, said, crashed, health } = await outcome(false)
    expect(atFirst).toEqual({ troubles: [{ c1: notOwn }, { s1: notOwn }], reached: own })
    expect(verdicts).toEqual([
      { isAccepted: false, reason: notOwn },
      { isAccepted: false, reason: notOwn },
    ])
    // A service that does not say which sites are its own: what leads outside is gone to by its address.
    expect(notSaid.troubles).toEqual([])
    expect(notSaid.reached).toMatchObject({ c1: first, s1: first })
    expect(said).toEqual(atFirst)
    expect(crashed).toEqual(own)
    expect(health).toEqual([true, true])
  })

  test('check 32: with a wall: to the address of the name that was looked at, and never inside', async () => {
    const { atFirst, verdicts, notSaid, said, rebound, moved, crashed, health } = await outcome(true)
    expect(atFirst.troubles).toEqual([{ c1: notPublic }, { s1: notPublic }])
    expect(atFirst.reached).toMatchObject({ c1: '', s1: '' })
    expect(verdicts).toEqual([
      { isAccepted: false, reason: notPublic },
      { isAccepted: true, reason: null },
    ])
    expect(notSaid.reached).toMatchObject({ c1: first, s1: first })
    expect(said).toMatchObject({ troubles: [], reached: { c1: first, s1: first } })
    expect(rebound).toMatchObject({ c1: first, s1: first })
    expect(moved).toMatchObject({ c1: second, s1: second })
    expect(crashed).toMatchObject({ c1: '', s1: '' })
    expect(health).toEqual([false, false])
  })
})
