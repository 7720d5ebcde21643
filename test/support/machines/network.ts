import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

const ip = async (...args: string[]): Promise<string> => (await promisify(execFile)('ip', args)).stdout

/** Where a machine is connected: a network namespace that is there before the machine, with its address in it. */
export interface MachineNetwork {
  readonly namespace: string
  readonly address: string
  readonly resolvers?: readonly string[]
}

export interface OwnNetwork extends MachineNetwork {
  /** Where the machine finds whoever runs the test. */
  readonly hostAddress: string
  remove(): Promise<void>
}

/** A namespace with one link to this machine and nothing else, for tests that need no internet. */
export const linkedNetwork = async (): Promise<OwnNetwork> => {
  const tag = randomBytes(3).toString('hex')
  const [third = 0, fourth = 0] = randomBytes(2)
  const base = `10.79.${third}.${fourth & 0xfc}`
  const at = (offset: number) => base.replace(/\d+$/, (last) => String(Number(last) + offset))
  const [hostAddress, address] = [at(1), at(2)]
  const namespace = `spm-${process.pid}-${tag}`
  const link = `spm${tag}`
  await ip('netns', 'add', namespace)
  await ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
  await ip('address', 'add', `${hostAddress}/30`, 'dev', link)
  await ip('link', 'set', link, 'up')
  await ip('-n', namespace, 'address', 'add', `${address}/30`, 'dev', 'eth0')
  for (const name of ['lo', 'eth0']) await ip('-n', namespace, 'link', 'set', name, 'up')
  await ip('-n', namespace, 'route', 'add', 'default', 'via', hostAddress)
  return {
    namespace,
    address,
    hostAddress,
    remove: async () => {
      await ip('netns', 'delete', namespace)
      // It goes with its other end, a moment later.
      await ip('link', 'delete', link).catch(() => {})
    },
  }
}
