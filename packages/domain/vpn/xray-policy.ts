import { type JsonProblem, readStrictJson } from '../text/strict-json.ts'
import { publicKeyOf } from './engine/instance-endpoint.ts'
import type { XrayInstance } from './engine/xray-json.ts'
import { also, arrayOf, dropped, maxProblems, object, only, type Report } from './xray-policy/checkers.ts'
import { inbound } from './xray-policy/inbound.ts'
import { outbounds } from './xray-policy/outbounds.ts'
import { dns, inboundTag, routing } from './xray-policy/routing.ts'
import { realityTarget } from './xray-policy/values.ts'

/**
 * What customers may write into the JSON of their personal Xray, on a server shared with strangers: every key is
 * on a list of permitted ones, and what runs is written anew from what was read.
 */

export interface Allowed {
  /** Where the instance listens, whatever the text says. */
  readonly listen: string
  readonly port: number
  /** Targets and WireGuard endpoints of the server's own choice, which need not be public ones. */
  readonly targets?: readonly string[]
  /** Whether no other targets are accepted, because the server cannot keep them off private networks. */
  readonly hasOnlyTargets?: boolean
  readonly endpoints?: readonly string[]
}

const ofService = 'is set by the service'
const callsOut = 'makes the server call addresses'

const root = ({ targets = [], hasOnlyTargets = false, endpoints = [] }: Allowed) =>
  object(
    {
      inbounds: arrayOf(inbound(realityTarget(targets, hasOnlyTargets)), 1, 1),
      outbounds: outbounds(endpoints),
    },
    {
      dns,
      routing,
      log: dropped(object({}, { loglevel: only('debug', 'info', 'warning', 'error', 'none') })),
    },
    {
      api: 'opens the control interface',
      stats: ofService,
      policy: ofService,
      metrics: 'publishes the inside of the process',
      env: 'changes the environment of the process',
      reverse: 'would let clients receive connections through the server',
      geodata: 'downloads files onto the server',
      observatory: callsOut,
      burstObservatory: callsOut,
      fakeDns: 'is for clients, not for servers',
      transport: 'is the old place: write streamSettings into the inbound instead',
      version: 'the service chooses the version of Xray',
    },
  )

type Root = NonNullable<ReturnType<ReturnType<typeof root>>>

const judge = ({ outbounds, routing }: Root, report: Report): void => {
  const tags = outbounds.map(({ tag }) => tag)
  for (const [index, { outboundTag }] of (routing?.rules ?? []).entries()) {
    if (tags.includes(outboundTag)) continue
    report(`routing.rules[${index}].outboundTag`, `must be the tag of an outbound: ${tags.join(', ')}`)
  }
}

/** Rules must see the real target address, so names are never resolved for them. */
const forced = (root: Root, { listen, port }: Allowed): XrayInstance | null => {
  const { inbounds, routing } = root
  const [inbound] = inbounds
  if (!inbound) return null
  const sniffing = inbound.sniffing && { sniffing: { ...inbound.sniffing, routeOnly: true } }
  return {
    ...root,
    inbounds: [{ ...inbound, tag: inboundTag, listen, port, ...sniffing }],
    routing: { ...routing, domainStrategy: 'AsIs', rules: routing?.rules ?? [] },
  }
}

/** The instance that the text describes, or everything that is wrong with it. */
export const readXrayConfig = (
  text: string,
  allowed: Allowed,
): { instance: XrayInstance } | { problems: JsonProblem[] } => {
  const read = readStrictJson(text)
  if ('problem' in read) return { problems: [read.problem] }
  const problems: JsonProblem[] = []
  const kept = also(root(allowed), judge)(read.value, '', problems)
  const instance = kept && problems.length === 0 ? forced(kept, allowed) : null
  return instance ? { instance } : { problems: problems.slice(0, maxProblems) }
}

/** Whether a public key, in any usual Base64, is that of the instance's REALITY. */
export const matchesPublicKey = (instance: XrayInstance, publicKey: string): boolean => {
  const { realitySettings } = instance.inbounds[0].streamSettings
  if (!realitySettings || !/^[A-Za-z0-9+/_-]{43}=?$/.test(publicKey)) return false
  return Buffer.from(publicKey, 'base64').toString('base64url') === publicKeyOf(realitySettings.privateKey)
}
