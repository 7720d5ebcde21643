import { isIP } from 'node:net'

/** Reading single settings; a bad one stops the start with a sentence that names it. */

export class ConfigError extends Error {}

export type Env = Readonly<Record<string, string | undefined>>

export const fail = (name: string, value: string, wanted: string): never => {
  throw new ConfigError(`${name}=${value} is not usable: ${wanted}`)
}

/** The value itself is not printed: such addresses carry passwords. */
export const readUrl = (env: Env, name: string, protocols: readonly string[], example: string) => {
  const text = env[name]
  if (!text) return undefined
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    throw new ConfigError(`${name} is not usable: give an address like ${example}`)
  }
  return text
}

const sentinels = /^rediss?\+sentinel:\/\/([^@/]*@)?[^@/?\s,]+(,[^@/?\s,]+)*\/[^/?\s]+(\/\d+)?(\?.*)?$/

/** Redis itself, or the sentinels that know where it is. */
export const readRedisUrl = (env: Env, name: string): string | undefined =>
  sentinels.test(env[name] ?? '')
    ? env[name]
    : readUrl(
        env,
        name,
        ['redis:', 'rediss:'],
        'redis://host:6379 or redis+sentinel://host1:26379,host2:26379,host3:26379/mymaster',
      )

const isAddressOrCidr = (text: string): boolean => {
  const [address = '', bits] = text.split('/')
  const version = isIP(address)
  return (
    version !== 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  )
}

export const readNetworks = (env: Env, name: string): string[] => {
  const list = (env[name] ?? '').split(',').map((part) => part.trim())
  const networks = list.filter((part) => part !== '')
  for (const network of networks) {
    if (!isAddressOrCidr(network)) fail(name, network, 'give addresses or CIDR ranges, separated by commas.')
  }
  return networks
}

export const readChoice = <T extends string>(env: Env, name: string, choices: readonly T[], usual: T): T => {
  const text = env[name] || usual
  const choice = choices.find((candidate) => candidate === text)
  return choice ?? fail(name, text, `give one of ${choices.join(', ')}.`)
}

export const readCount = (
  env: Env,
  name: string,
  usual: number,
  [min, max]: readonly [number, number],
): number => {
  const text = env[name]
  if (!text) return usual
  const count = Number(text)
  if (!/^\d{1,9}$/.test(text) || count < min || count > max)
    fail(name, text, `give a whole number from ${min} to ${max}.`)
  return count
}
