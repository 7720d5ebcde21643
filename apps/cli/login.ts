import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from './usage-error.ts'

/** Where commands go and what they come with. */

export interface Service {
  readonly url: string
  readonly token: string
}

export type Environment = Readonly<Record<string, string | undefined>>

const fileOf = ({ XDG_CONFIG_HOME: config, HOME: home = '.' }: Environment): string =>
  join(config || join(home, '.config'), 'sallyport', 'login.json')

const readKept = (env: Environment): Partial<Service> => {
  try {
    return JSON.parse(readFileSync(fileOf(env), 'utf8')) as Partial<Service>
  } catch {
    return {}
  }
}

/** Nobody else on the machine reads it. */
export const keepLogin = (env: Environment, service: Service): string => {
  const file = fileOf(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, `${JSON.stringify(service, null, 2)}\n`, { mode: 0o600 })
  chmodSync(file, 0o600)
  return file
}

export const forgetLogin = (env: Environment): void => rmSync(fileOf(env), { force: true })

export const checkedUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`“${text}” is no address of a service; it looks like https://vpn.example.com`)
  }
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/operator\/v1$/, '')
}

/** Whether there is a token to ask with. */
export const isLoggedIn = (env: Environment): boolean =>
  Boolean(env.SALLYPORT_TOKEN) || readKept(env).token !== undefined

/** The environment goes before what was kept. */
export const serviceOf = (env: Environment): Service => {
  const kept = readKept(env)
  const url = env.SALLYPORT_URL || kept.url
  // A token goes to the service that it was given for, and to no other.
  const token = env.SALLYPORT_TOKEN || (url && kept.url === checkedUrl(url) ? kept.token : undefined)
  if (!url || !token) {
    const missing = url ? 'SALLYPORT_TOKEN' : 'SALLYPORT_URL and SALLYPORT_TOKEN'
    throw new UsageError(`Say which service: sallyport login, or set ${missing}.`)
  }
  return { url: checkedUrl(url), token }
}
