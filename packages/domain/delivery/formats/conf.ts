import type { Language } from '../../text/language.ts'
import { wireguardConf } from '../render/conf.ts'
import { type Carried, carriedOf, type Entry } from './entry.ts'
import { fileNames } from './file-names.ts'
import { zip } from './zip.ts'

/** A notice has no tunnel, only what it says. */
const tunnel = (entry: Entry): string | null => {
  if (entry.protocol === 'notice') return ''
  return entry.protocol === 'wireguard' ? wireguardConf(entry) : null
}

const isNotice = ({ part }: Carried<string>): boolean => part === ''

const commented = ({ title, part }: Carried<string>): string => `# ${title}\n${part}`

const archive = (carried: readonly Carried<string>[]): Uint8Array => {
  const names = fileNames(carried.map(({ title }) => title))
  // Importers take the .conf files of an archive and leave the rest alone.
  return zip(
    carried.map((one, at) => ({
      name: `${names[at]}.${isNotice(one) ? 'txt' : 'conf'}`,
      text: commented(one),
    })),
  )
}

/** One tunnel is a .conf file, several are an archive of them. */
export const confFiles = (entries: readonly Entry[], language: Language): string | Uint8Array => {
  const carried = carriedOf(entries, language, tunnel)
  const tunnels = carried.filter((one) => !isNotice(one))
  if (tunnels.length > 1) return archive(carried)
  const notices = carried.filter(isNotice)
  return [...notices, ...tunnels].map(commented).join('')
}
