import { readFile } from 'node:fs/promises'
import type { Kit } from './kit.ts'
import { readUnits, readUpgradeScript } from './units.ts'

/** The installer: what the service knows, and the parts that are the same for everybody. */

const parts = ['checks.sh', 'install.sh', 'main.sh']

const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8')

/** For the shell, as one word whatever is in it. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const lines = (rows: readonly string[]): string => quoted(rows.join('\n'))

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** Twice over, because a release is unpacked beside the one that runs. */
const neededKilobytes = ({ files }: Kit): number =>
  Math.ceil(files.reduce((sum, { bytes, compressedBytes }) => sum + bytes + compressedBytes, 0) / 1000) +
  100_000

export const scriptHead = (kit: Kit, serviceUrl: string): string => `#!/bin/sh
# Installs the Sallyport node agent. --help says how.
set -eu
PATH=$PATH:/usr/sbin:/sbin
SERVICE_URL=${quoted(serviceUrl)}
RELEASE=${kit.release}
MACHINE=${kit.machine}
NEEDED_KB=${neededKilobytes(kit)}
# Checksum, mode and place of each file.
FILES=${lines(kit.files.map(({ sha256, mode, place }) => `${sha256} ${mode} ${place}`))}
ENGINES=${lines(kit.engines.map(({ place, version }) => `${place} ${version}`))}
MISSING=${lines(kit.missing.map(oneLine))}
`

const endOfFile = 'END_OF_FILE'

/** A function of the shell that writes these into the folder it is given. */
const writing = (name: string, files: ReadonlyMap<string, string>): string => {
  const written = [...files].map(
    ([file, text]) => `  cat >"$1/${file}" <<'${endOfFile}'\n${text}${endOfFile}\n`,
  )
  return `${name}() {\n${written.join('')}}\n`
}

export const installScript = async (kit: Kit, serviceUrl: string): Promise<string> => {
  const body = await Promise.all(parts.map((name) => read(`script/${name}`)))
  const handed = [
    writing('write_units', await readUnits()),
    writing('write_upgrade', new Map([['upgrade.sh', await readUpgradeScript()]])),
  ]
  return [scriptHead(kit, serviceUrl), ...handed, ...body].join('\n')
}

/** For whoever pipes the answer into a shell before there is anything to install. */
export const refusalScript = (reason: string): string =>
  `#!/bin/sh\nprintf '%s\\n' ${quoted(`sallyport-agent: ${oneLine(reason)}`)} >&2\nexit 1\n`
