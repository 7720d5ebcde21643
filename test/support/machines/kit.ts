import { installKit as kitOf } from '../../../apps/server/compose/install.ts'
import { readConfig } from '../../../apps/server/config.ts'

/** Compresses this machine's Node and engines into the cache that services of tests share. */
export const installKit = async (): Promise<void> => {
  const { missing } = await kitOf(readConfig({ XDG_CACHE_HOME: process.env.XDG_CACHE_HOME })).current()
  if (missing.length > 0) throw new Error(missing.join(' '))
}
