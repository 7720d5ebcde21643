import { readFile } from 'node:fs/promises'
import type { PeerBytes } from './uapi.ts'

const read = async (name: string, direction: 'rx' | 'tx'): Promise<number> =>
  Number(await readFile(`/sys/class/net/${name}/statistics/${direction}_bytes`, 'utf8'))

/** What has gone through an interface since it was made: customers' packets, without what the tunnel wraps them in. */
export const interfaceBytes = async (name: string): Promise<PeerBytes> => {
  const [received, sent] = await Promise.all([read(name, 'rx'), read(name, 'tx')])
  return { received, sent }
}
