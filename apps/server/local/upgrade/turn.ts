import { compareVersions } from './versions.ts'

/** Who serves, who comes, and whether that may be: decided from what was found on the machine. */

/** What the proxy knows (deploy/nginx/sallyport.conf). */
export const ports = [8081, 8082] as const
export type Port = (typeof ports)[number]

export const unitOf = (port: Port): string => `sallyport@${port}.service`

export interface Place {
  readonly port: Port
  /** What is started there; undefined where nothing ever was. */
  readonly release: string | undefined
  readonly isRunning: boolean
  /** Started with the machine. */
  readonly isEnabled: boolean
}

export interface Turn {
  /** Undefined while the service is stopped. */
  readonly serving: Port | undefined
  readonly free: Port
  /** Whether something runs at the free one: an upgrade was cut off. */
  readonly hasLeftover: boolean
}

const other = (port: Port): Port => (port === 8081 ? 8082 : 8081)

/** The release that is current serves: whatever runs beside it was on its way in or out when an upgrade was cut off. */
export const turnOf = (current: string, places: readonly Place[]): Turn => {
  const running = places.filter(({ isRunning }) => isRunning)
  const ofCurrent = running.filter(({ release }) => release === current)
  const choice = ofCurrent.length > 0 ? ofCurrent : running
  const serving = (choice.find(({ isEnabled }) => isEnabled) ?? choice[0])?.port
  const free = serving ? other(serving) : (places.find(({ isEnabled }) => isEnabled)?.port ?? ports[0])
  return { serving, free, hasLeftover: running.some(({ port }) => port === free) }
}

export interface Wish {
  readonly version: string
  readonly arch: string
  readonly current: string
  readonly isBack: boolean
}

/** Why this release is not to serve here, as far as its name tells. */
export const refusalOf = (
  { version, arch, current, isBack }: Wish,
  machineArch: string,
): string | undefined => {
  if (arch !== machineArch)
    return `Release ${version} is made for ${arch}, and this machine is ${machineArch}.`
  const order = compareVersions(version, current)
  if (order < 0 && !isBack)
    return `Release ${version} is older than ${current}, which serves: sallyport upgrade --back is the way there.`
  if (order > 0 && isBack)
    return `Release ${version} is newer than ${current}, which serves: leave out --back.`
  return undefined
}

/** How the database stands to a release (`sallyport migrate --dry-run --json`). */
export interface SchemaState {
  readonly pending: readonly string[]
  readonly unknown: readonly string[]
  readonly changed: readonly string[]
}

export const schemaRefusal = (
  { unknown, changed }: SchemaState,
  { version, isBack }: Pick<Wish, 'version' | 'isBack'>,
): string | undefined => {
  if (changed.length > 0)
    return `Release ${version} has another text of what was applied to the database already (${changed.join(', ')}): it is not one of the same line.`
  if (unknown.length > 0 && !isBack)
    return `The database is ahead of release ${version}: it has ${unknown.join(', ')}. Take a newer release, or say --back if you mean to go back.`
  return undefined
}
