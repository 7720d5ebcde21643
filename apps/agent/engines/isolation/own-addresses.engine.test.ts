import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { describeWith, xrayPath } from '../../../../test/support/engines/engines.ts'
import { namespaces, type Piece, programIn, xray } from '../../../../test/support/pieces.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })
const run = promisify(execFile)

const nft: Piece = {
  name: 'nft',
  enable: 'install nftables to run them',
  find: () => programIn(['/usr/bin', '/usr/sbin'], 'nft'),
}

describeWith([xray, namespaces, nft], "a node's own public addresses, on its loopback", () => {
  const name = `spd-own-${process.pid}`
  let directory: string

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sallyport-own-'))
    await run('ip', ['netns', 'add', name])
    await run('ip', ['-n', name, 'link', 'set', 'lo', 'up'])
    for (const family of ['-4', '-6']) {
      await run('ip', ['-n', name, family, 'route', 'add', 'default', 'dev', 'lo'])
    }
  })
  afterEach(async () => {
    await run('ip', ['netns', 'delete', name])
    await rm(directory, { recursive: true })
  })

  const nothing = Object.fromEntries(
    ['169.254.169.254', '10.9.9.9', '100.64.9.9', '192.168.9.9', 'fd99::9'].map((address) => [address, []]),
  )

  const outcome = async (isFiltered: boolean) => {
    const script = join(import.meta.dirname, '../../../../test/support/engines/shared-own-addresses.ts')
    const program = [process.execPath, script, directory, xrayPath() ?? '']
    // A file that cannot be executed lies over nft where there is to be no filter.
    const hide = `mount --bind /dev/null ${nft.find()} && exec "$@"`
    const command = isFiltered ? program : ['unshare', '--mount', 'sh', '-c', hide, 'sh', ...program]
    return JSON.parse((await run('ip', ['netns', 'exec', name, ...command])).stdout)
  }

  test('check 34: they are open at the web and at what is served, and nowhere else, whenever they came; private networks and metadata are closed', async () => {
    const { troubles, vless, http, udp, forbidden } = await outcome(true)
    expect(forbidden).toEqual({ vless: nothing, http: nothing })
    expect(troubles).toEqual([])
    const addresses = ['198.51.100.7', '2001:db8:7::7', '198.51.100.8', '2001:db8:7::8']
    const open = Object.fromEntries(addresses.map((address) => [address, ['web', 'served']]))
    expect(vless).toEqual(open)
    expect(http).toEqual(open)
    // A datagram that is turned away may take others of its session with it.
    const heard = Object.values(udp as Record<string, string[]>).flat()
    expect(heard).toContain('web')
    expect(heard.filter((port) => port !== 'web' && port !== 'served')).toEqual([])
  })

  test('check 34: they are closed by Xray itself where nothing filters packets, as far as it knew them when it started', async () => {
    const { troubles, vless, http, udp, forbidden } = await outcome(false)
    expect(forbidden).toEqual({ vless: nothing, http: nothing })
    expect(troubles).toEqual([])
    for (const reached of [vless, http]) {
      expect(reached).toMatchObject({ '198.51.100.7': [], '2001:db8:7::7': [] })
    }
    expect(Object.values(udp).flat()).toEqual([])
  })
})
