import { canonicalJson } from '../../text/canonical-json.ts'
import type { BorrowedSite } from './personal-xray.ts'
import type { XrayInstance, XrayReality, XrayRule, XrayStream } from './xray-json.ts'

/** What a customer wrote for one server, on another: what was the first server's becomes the second's. */

export interface InstanceHome {
  /** As it is made here from the options, before any edit. */
  readonly generated: XrayInstance
  /** The server's borrowed sites in their order, also those that the options do not use. */
  readonly sites: readonly BorrowedSite[]
  /** The name in the server's own certificate. */
  readonly tlsName: string
}

interface Move {
  readonly from: InstanceHome
  readonly to: InstanceHome
}

/** Leaves alone what differs from the generated value, for that is the customer's. */
const followed = <T>(value: T, was: T | undefined, is: T | undefined): T =>
  was !== undefined && is !== undefined && value === was ? is : value

const streamOf = ({ generated }: InstanceHome): XrayStream => generated.inbounds[0].streamSettings

const siteFollowed = (reality: XrayReality, { from, to }: Move): XrayReality => {
  const at = from.sites.findIndex(({ target }) => target === reality.target)
  const was = from.sites[at]
  const is = to.sites[at]?.target ? to.sites[at] : to.sites[0]
  // The names belong to the site: beside a target of the customer's own choice they stay.
  if (!was || !is) return reality
  const names = reality.serverNames.map((name) => followed(name, was.serverName, is.serverName))
  return { ...reality, target: is.target, serverNames: [...new Set(names)] }
}

const realityFollowed = (reality: XrayReality, move: Move): XrayReality => {
  const was = streamOf(move.from).realitySettings
  const is = streamOf(move.to).realitySettings
  return {
    ...siteFollowed(reality, move),
    privateKey: followed(reality.privateKey, was?.privateKey, is?.privateKey),
    shortIds: reality.shortIds.map((id) => followed(id, was?.shortIds[0], is?.shortIds[0])),
  }
}

/** With a certificate of the customer's own the name is the customer's too. */
const tlsFollowed = (tls: NonNullable<XrayStream['tlsSettings']>, { from, to }: Move) =>
  tls.serverName === undefined || tls.certificates?.length
    ? tls
    : { ...tls, serverName: followed(tls.serverName, from.tlsName, to.tlsName) }

/** The unguessable path of XHTTP, or name of the gRPC service. */
const secretFollowed = <K extends string, T extends { readonly [name in K]?: string }>(
  settings: T,
  name: K,
  was: string | undefined,
  is: string | undefined,
): T => (settings[name] === undefined ? settings : { ...settings, [name]: followed(settings[name], was, is) })

const streamFollowed = (stream: XrayStream, move: Move): XrayStream => {
  const { realitySettings: reality, tlsSettings: tls, xhttpSettings: xhttp, grpcSettings: grpc } = stream
  const [was, is] = [streamOf(move.from), streamOf(move.to)]
  const path = [was.xhttpSettings?.path, is.xhttpSettings?.path] as const
  const service = [was.grpcSettings?.serviceName, is.grpcSettings?.serviceName] as const
  return {
    ...stream,
    ...(reality && { realitySettings: realityFollowed(reality, move) }),
    ...(tls && { tlsSettings: tlsFollowed(tls, move) }),
    ...(xhttp && { xhttpSettings: secretFollowed(xhttp, 'path', ...path) }),
    ...(grpc && { grpcSettings: secretFollowed(grpc, 'serviceName', ...service) }),
  }
}

/** Rules that only one of the two locations has: its country's own addresses. */
const onlyIn = (rules: readonly XrayRule[], others: readonly XrayRule[]): XrayRule[] => {
  const known = new Set(others.map(canonicalJson))
  return rules.filter((rule) => !known.has(canonicalJson(rule)))
}

const matcherOf = ({ outboundTag, ...matchers }: XrayRule): string => Object.keys(matchers).sort().join()

/** A rule of the old location becomes the new one's of the same kind, or goes. */
const rulesFollowed = (rules: readonly XrayRule[], { from, to }: Move): readonly XrayRule[] => {
  const [was, is] = [from.generated.routing.rules, to.generated.routing.rules]
  if (canonicalJson(rules) === canonicalJson(was)) return is
  const gone = new Set(onlyIn(was, is).map(canonicalJson))
  const come = onlyIn(is, was)
  return rules.flatMap((rule) => {
    if (!gone.has(canonicalJson(rule))) return [rule]
    const instead = come.find((one) => matcherOf(one) === matcherOf(rule))
    return instead ? [instead] : []
  })
}

export const movedInstance = (edited: XrayInstance, from: InstanceHome, to: InstanceHome): XrayInstance => {
  const move = { from, to }
  const [inbound] = edited.inbounds
  const [was] = from.generated.inbounds
  const [is] = to.generated.inbounds
  const clients = inbound.settings.clients.map((client) => ({
    ...client,
    id: followed(client.id, was.settings.clients[0]?.id, is.settings.clients[0]?.id),
  }))
  return {
    ...edited,
    inbounds: [
      {
        ...inbound,
        ...(is.listen !== undefined && { listen: is.listen }),
        ...(is.port !== undefined && { port: is.port }),
        settings: { ...inbound.settings, clients },
        streamSettings: streamFollowed(inbound.streamSettings, move),
      },
    ],
    routing: { ...edited.routing, rules: rulesFollowed(edited.routing.rules, move) },
  }
}
