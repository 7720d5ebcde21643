import type { PersonalXray } from './personal-xray.ts'
import type { XrayInstance, XrayReality, XrayStream } from './xray-json.ts'

/**
 * What a customer wrote, with other secrets. Whatever lets a client in is replaced, whoever chose it: a link that others know
 * would work on otherwise. A path of the customer's own choice stays, for it lets nobody in by itself, and something in front
 * of the server may depend on it.
 */

export type InstanceSecrets = Pick<PersonalXray, 'uuid' | 'realityPrivateKey' | 'shortId' | 'secretPath'>

interface Renewal {
  readonly was: InstanceSecrets
  readonly is: InstanceSecrets
  /** Fresh uuids, one for each further client or short id. */
  readonly spare: readonly string[]
}

/** As long as it was; an empty one is none, and stays. */
const shortIdRenewed = (id: string, index: number, { is, spare }: Renewal): string =>
  (index === 0 ? is.shortId : (spare[index - 1] ?? '').replaceAll('-', '')).slice(0, id.length)

const realityRenewed = (reality: XrayReality, renewal: Renewal): XrayReality => ({
  ...reality,
  privateKey: renewal.is.realityPrivateKey,
  shortIds: reality.shortIds.map((id, index) => shortIdRenewed(id, index, renewal)),
})

/** Also when the customer went on using ours with another transport. */
const pathRenewed = <T extends object>(settings: T, { was, is }: Renewal): T =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      const isOurs = value === was.secretPath || value === `/${was.secretPath}`
      return [name, isOurs ? value.replace(was.secretPath, is.secretPath) : value]
    }),
  ) as T

const streamRenewed = (stream: XrayStream, renewal: Renewal): XrayStream => {
  const { realitySettings: reality, tlsSettings, ...rest } = stream
  const settings = Object.entries(rest).map(([name, value]) => [
    name,
    typeof value === 'object' ? pathRenewed(value, renewal) : value,
  ])
  return {
    ...Object.fromEntries(settings),
    ...(tlsSettings && { tlsSettings }),
    ...(reality && { realitySettings: realityRenewed(reality, renewal) }),
  }
}

export const renewedInstance = (edited: XrayInstance, renewal: Renewal): XrayInstance => {
  const [inbound] = edited.inbounds
  const clients = inbound.settings.clients.map((client, index) => ({
    ...client,
    id: index === 0 ? renewal.is.uuid : (renewal.spare[index - 1] ?? client.id),
  }))
  return {
    ...edited,
    inbounds: [
      {
        ...inbound,
        settings: { ...inbound.settings, clients },
        streamSettings: streamRenewed(inbound.streamSettings, renewal),
      },
    ],
  }
}

/** How many uuids it takes. */
export const sparesFor = ({ inbounds: [inbound] }: XrayInstance): number =>
  Math.max(inbound.settings.clients.length, inbound.streamSettings.realitySettings?.shortIds.length ?? 0) - 1
