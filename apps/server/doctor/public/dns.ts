import { connect, isIP } from 'node:net'
import { counted, type Finding, ok, problem, skipped, some, warning } from '../finding.ts'
import type { Check, Subject } from '../subject.ts'
import { publicUrlsOf } from './addresses.ts'
import { reasonOf } from './ask.ts'

/** Names that customers open: whether they lead anywhere, and whether something answers at every address. */

export interface Reached {
  readonly address: string
  /** Why nothing answered there. */
  readonly failure: string | undefined
}

const isOfOwnNetwork = (address: string): boolean =>
  /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|::1$|f[cd]|fe80)/i.test(address)

/** This machine has no such way out, which says nothing of the address. */
const noRoute = new Set(['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'])

export const judgeName = (host: string, reached: readonly Reached[] | string): readonly Finding[] => {
  if (typeof reached === 'string') {
    return [
      problem(
        `${host} leads nowhere (${reached})`,
        'Make an A record (and AAAA, if you have IPv6) at whoever keeps your domain, and wait for it to spread.',
      ),
    ]
  }
  const dead = reached.filter(({ failure }) => failure !== undefined && !noRoute.has(failure))
  const findings: Finding[] = []
  if (dead.length > 0) {
    const list = some(dead.map(({ address, failure }) => `${address} (${failure})`))
    const text = `nothing answers for ${host} at ${list}`
    const advice = 'Open the port in the firewall, start the proxy there, or take the address out of the DNS.'
    findings.push(dead.length === reached.length ? problem(text, advice) : warning(text, advice))
  }
  if (reached.length > 0 && reached.every(({ address }) => isOfOwnNetwork(address))) {
    findings.push(
      warning(
        `${host} leads to ${some(reached.map(({ address }) => address))} here, which is of a private network`,
        'See what the rest of the world gets: dig +short @1.1.1.1 with the name. An entry in /etc/hosts is for this machine only.',
      ),
    )
  }
  return findings
}

const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

const tryAddress = (address: string, port: number): Promise<Reached> =>
  new Promise((resolve) => {
    const socket = connect({ host: address, port })
    const finish = (failure: string | undefined): void => {
      socket.destroy()
      resolve({ address, failure })
    }
    socket.setTimeout(5000, () => finish('no answer in time'))
    socket.once('connect', () => finish(undefined))
    socket.once('error', (error) => finish(reasonOf(error)))
  })

const mostAddresses = 8

const reach = async ({ names }: Subject, url: URL): Promise<readonly Reached[] | string> => {
  const host = url.hostname.replaceAll(/[[\]]/g, '')
  try {
    const addresses = isIP(host) ? [host] : await names.addresses(host)
    if (addresses.length === 0) return 'no address'
    return await Promise.all(
      addresses.slice(0, mostAddresses).map((address) => tryAddress(address, portOf(url))),
    )
  } catch (error) {
    return reasonOf(error)
  }
}

export const dnsCheck: Check = {
  name: 'dns',
  about: 'names of PUBLIC_URL and of mirrors lead to addresses that answer',
  run: async (subject) => {
    const urls = (await publicUrlsOf(subject)).map((url) => new URL(url))
    if (urls.length === 0) return [skipped('PUBLIC_URL is not set')]
    const found = await Promise.all(
      urls.map(async (url) => {
        const reached = await reach(subject, url)
        const findings = judgeName(url.hostname, reached)
        if (findings.length > 0) return findings
        const count = counted(reached.length, 'address', 'addresses')
        return [
          ok(`${url.hostname} has ${count}, and something answers at each that can be reached from here`),
        ]
      }),
    )
    return found.flat()
  },
}
