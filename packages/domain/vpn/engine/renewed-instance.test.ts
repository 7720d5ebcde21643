import type { SwitchName } from '@sallyport/contract/shapes'
import { expect, test } from 'vitest'
import { personalXray } from './personal-xray.ts'
import { type InstanceSecrets, renewedInstance, sparesFor } from './renewed-instance.ts'
import type { XrayInstance } from './xray-json.ts'

const secretsOf = (letter: string): InstanceSecrets => ({
  uuid: `${letter}0000000-0000-4000-8000-000000000000`,
  realityPrivateKey: letter.repeat(43),
  shortId: letter.repeat(16),
  secretPath: `path-of-${letter}`,
})
const [was, is] = [secretsOf('a'), secretsOf('b')]
const spare = ['11112222-3333-4444-8555-666666666666', '77778888-9999-4aaa-8bbb-cccccccccccc']

const made = (secrets: InstanceSecrets, options: readonly SwitchName[]): XrayInstance =>
  personalXray({
    ...secrets,
    options,
    listen: '10.0.0.1',
    port: 20_001,
    site: { target: 'site.example:443', serverName: 'site.example' },
    otherSite: { target: 'other.example:443', serverName: 'other.example' },
    warp: { privateKey: 'key', addresses: [], peerPublicKey: 'peer', endpoint: 'e:1', reserved: [] },
    homeDomains: [],
    homeNetworks: [],
  })

// biome-ignore lint/suspicious/noExplicitAny: edits reach anywhere into the JSON, as customers do.
type Draft = any
const inboundOf = (instance: Draft) => instance.inbounds[0]
const streamOf = (instance: Draft) => inboundOf(instance).streamSettings

interface Row {
  readonly options?: readonly SwitchName[]
  readonly edit?: (instance: Draft) => void
  /** What differs from what the new secrets make by themselves. */
  readonly stays?: (instance: Draft) => void
}

const rows: Record<string, Row> = {
  'as it was made': {},
  XHTTP: { options: ['use_xhttp'] },
  'gRPC and WARP': { options: ['use_grpc', 'use_warp'] },
  TLS: { options: ['disable_reality'] },
  'rules of one’s own': {
    edit: (instance) => instance.routing.rules.push({ ip: ['192.0.2.1'], outboundTag: 'block' }),
    stays: (instance) => instance.routing.rules.push({ ip: ['192.0.2.1'], outboundTag: 'block' }),
  },
  'an id and a key of one’s own': {
    edit: (instance) => {
      inboundOf(instance).settings.clients[0].id = 'c0000000-0000-4000-8000-000000000000'
      streamOf(instance).realitySettings.privateKey = 'c'.repeat(43)
    },
  },
  'several clients and short ids': {
    edit: (instance) => {
      inboundOf(instance).settings.clients.push({ id: 'c0000000-0000-4000-8000-000000000000', flow: '' })
      streamOf(instance).realitySettings.shortIds = ['aaaaaaaaaaaaaaaa', '', 'c0de']
    },
    stays: (instance) => {
      inboundOf(instance).settings.clients.push({ id: spare[0], flow: '' })
      streamOf(instance).realitySettings.shortIds = ['bbbbbbbbbbbbbbbb', '', '7777']
    },
  },
  'a path of one’s own': {
    options: ['use_xhttp'],
    edit: (instance) => {
      streamOf(instance).xhttpSettings.path = '/mine'
    },
    stays: (instance) => {
      streamOf(instance).xhttpSettings.path = '/mine'
    },
  },
  'our path with another transport': {
    edit: (instance) => {
      Object.assign(streamOf(instance), { network: 'ws', wsSettings: { path: '/path-of-a', host: 'h' } })
    },
    stays: (instance) => {
      Object.assign(streamOf(instance), { network: 'ws', wsSettings: { path: '/path-of-b', host: 'h' } })
    },
  },
  'REALITY where the options have none': {
    options: ['disable_reality'],
    edit: (instance) => {
      const reality = { target: 'x.example:443', serverNames: ['x.example'], privateKey: 'c', shortIds: [''] }
      inboundOf(instance).streamSettings = { security: 'reality', realitySettings: reality }
    },
    stays: (instance) => {
      const { realityPrivateKey: privateKey } = is
      const reality = { target: 'x.example:443', serverNames: ['x.example'], privateKey, shortIds: [''] }
      inboundOf(instance).streamSettings = { security: 'reality', realitySettings: reality }
    },
  },
}

test.each(Object.entries(rows))('%s', (_name, { options = [], edit, stays }) => {
  const [edited, expected] = [structuredClone(made(was, options)), structuredClone(made(is, options))]
  edit?.(edited)
  stays?.(expected)
  expect(sparesFor(edited)).toBeLessThanOrEqual(spare.length)
  expect(renewedInstance(edited, { was, is, spare })).toEqual(expected)
})
