import { spawnSync } from 'node:child_process'
import { accessSync, closeSync, constants, openSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** Something outside the package registry that some suites need. */
export type Piece = { name: string; enable: string; find: () => string | null }

/** SALLYPORT_TEST_WITHOUT=postgresql,redis pretends that a piece is not on this machine. */
function without(name: string): boolean {
  return (process.env.SALLYPORT_TEST_WITHOUT ?? '').toLowerCase().split(',').includes(name.toLowerCase())
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

export function programIn(folders: string[], name: string): string | null {
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null
}

function pathFolders(): string[] {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
}

function debianPostgresFolders(): string[] {
  const root = '/usr/lib/postgresql'
  try {
    const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a))
    return versions.map((version) => join(root, version, 'bin'))
  } catch {
    return []
  }
}

/** The folder that holds both initdb and postgres, or null. */
export function postgresFolder(): string | null {
  if (without('postgresql')) return null
  const complete = (folder: string) => programIn([folder], 'initdb') && programIn([folder], 'postgres')
  return [...pathFolders(), ...debianPostgresFolders()].find(complete) ?? null
}

export function redisPath(): string | null {
  return without('redis')
    ? null
    : programIn([...pathFolders(), '/usr/sbin', '/usr/local/sbin'], 'redis-server')
}

export function chromiumPath(): string | null {
  if (without('chromium')) return null
  const names = ['chromium', 'chromium-browser', 'google-chrome']
  return names.map((name) => programIn(pathFolders(), name)).find((path) => path !== null) ?? null
}

/** The agent looks for its engines in this order too. */
export function enginePath(name: string, variable: string): string | null {
  if (without(name) || without(name.replace(/-go$/, ''))) return null
  const given = process.env[variable]
  if (given) return isProgram(given) ? given : null
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return programIn([...pathFolders(), join(cache, 'sallyport', 'engines', 'bin')], name)
}

const systemPath = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` }

function succeeds(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { env: systemPath, stdio: 'ignore', timeout: 30_000 }).status === 0
}

function once<T>(work: () => T): () => T {
  let known: { value: T } | undefined
  return () => {
    known ??= { value: work() }
    return known.value
  }
}

const hasNamespaces = once(() => {
  if (process.getuid?.() !== 0 || without('namespaces')) return false
  const name = `sallyport-probe-${process.pid}`
  return succeeds('ip', 'netns', 'add', name) && succeeds('ip', 'netns', 'delete', name)
})

const hasTunnels = once(() => {
  if (process.getuid?.() !== 0) return false
  try {
    closeSync(openSync('/dev/net/tun', 'r+'))
  } catch {
    return false
  }
  return succeeds('ip', '-V') && succeeds('nft', 'list', 'tables')
})

const hasContainers = once(
  () => hasNamespaces() && succeeds('systemd-nspawn', '--version') && succeeds('debootstrap', '--version'),
)

export const postgresql: Piece = {
  name: 'PostgreSQL',
  enable: 'install postgresql to run them',
  find: () => {
    const folder = postgresFolder()
    return folder && dirname(folder)
  },
}
export const redis: Piece = { name: 'Redis', enable: 'install redis-server to run them', find: redisPath }
export const chromium: Piece = {
  name: 'Chromium',
  enable: 'install chromium to run them',
  find: chromiumPath,
}
export const xray: Piece = {
  name: 'Xray',
  enable: 'npm run engines:install to run them',
  find: () => enginePath('xray', 'SALLYPORT_XRAY'),
}

export const amneziawg: Piece = {
  name: 'AmneziaWG',
  enable: 'as root with /dev/net/tun: install iproute2 and nftables, and npm run engines:install to run them',
  find: () => {
    const program = enginePath('amneziawg-go', 'SALLYPORT_AMNEZIAWG')
    return program && hasTunnels() ? program : null
  },
}
export const mtg: Piece = {
  name: 'mtg',
  enable: 'npm run engines:install to run them',
  find: () => enginePath('mtg', 'SALLYPORT_MTG'),
}
export const singBox: Piece = {
  name: 'sing-box',
  enable: 'npm run engines:install -- --tests to run them',
  find: () => enginePath('sing-box', 'SALLYPORT_SING_BOX'),
}
export const oldSingBox: Piece = {
  name: 'sing-box 1.11',
  enable: 'npm run engines:install -- --tests to run them',
  find: () => enginePath('sing-box-1.11', 'SALLYPORT_SING_BOX_1_11'),
}
export const mihomo: Piece = {
  name: 'mihomo',
  enable: 'npm run engines:install -- --tests to run them',
  find: () => enginePath('mihomo', 'SALLYPORT_MIHOMO'),
}
export const pebble: Piece = {
  name: 'Pebble',
  enable: 'npm run engines:install -- --tests to run them',
  find: () => enginePath('pebble', 'SALLYPORT_PEBBLE'),
}
export const curl: Piece = {
  name: 'curl',
  enable: 'install curl and bash to run them',
  find: () =>
    !without('curl') && programIn(pathFolders(), 'bash') ? programIn(pathFolders(), 'curl') : null,
}
export const namespaces: Piece = {
  name: 'network namespaces',
  enable: 'install iproute2 and run as root to run them',
  find: () => (hasNamespaces() ? 'ip netns' : null),
}
export const machines: Piece = {
  name: 'machine',
  enable: 'as root on Debian: install debootstrap and systemd-container to run them',
  find: () => (!without('machines') && hasContainers() ? 'systemd-nspawn' : null),
}

/** A program of a Debian package, wherever the system keeps it. */
const packaged = (name: string, program: string, debian: string): Piece => ({
  name,
  enable: `install ${debian} to run them`,
  find: () => (without(name) ? null : programIn([...pathFolders(), '/usr/sbin', '/usr/local/sbin'], program)),
})
export const promtool = packaged('promtool', 'promtool', 'prometheus')
export const prometheus = packaged('Prometheus', 'prometheus', 'prometheus')
export const pgbackrest = packaged('pgBackRest', 'pgbackrest', 'pgbackrest')
export const nginx = packaged('nginx', 'nginx', 'nginx-light')
export const haproxy = packaged('HAProxy', 'haproxy', 'haproxy')
export const pgbouncer = packaged('PgBouncer', 'pgbouncer', 'pgbouncer')

export const pieces: Piece[] = [
  ...[postgresql, redis, chromium, xray, amneziawg, mtg, singBox, oldSingBox, mihomo, pebble],
  ...[curl, namespaces, machines, promtool, pgbackrest, nginx, haproxy, pgbouncer],
]
