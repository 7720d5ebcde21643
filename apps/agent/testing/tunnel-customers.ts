import type { AccessOf, AwgParameters, InboundOf } from '@sallyport/contract/agent/agent'
import { type ClientConfig, type KeyPair, keyPair, presharedKey } from './tunnels.ts'

/** Two customers of a shared WireGuard inbound and one with a personal AmneziaWG. */

export const parameters: AwgParameters = {
  jc: 3,
  jmin: 40,
  jmax: 70,
  s1: 72,
  s2: 40,
  s3: 32,
  s4: 16,
  h1: 1_000_001,
  h2: 2_000_002,
  h3: 3_000_003,
  h4: 4_000_004,
}
const [sharedKeys, personalKeys] = [keyPair(), keyPair()]
export const inbound: InboundOf<'wg'> = {
  tag: 'wg-1',
  listen: '0.0.0.0',
  port: 51820,
  protocol: 'wg',
  private_key: sharedKeys.privateKey,
}

export interface Customer {
  readonly keys: KeyPair
  readonly preshared: string
  readonly address: string
}
export const customer = (address: string): Customer => ({
  keys: keyPair(),
  preshared: presharedKey(),
  address,
})
export const [hers, his, personal] = [customer('100.64.1.1'), customer('100.64.1.2'), customer('100.64.1.3')]

const peerOf = ({ keys, preshared, address }: Customer) => ({
  public_key: keys.publicKey,
  preshared_key: preshared,
  address,
})
export const sharedAccess = (id: string, who: Customer): AccessOf<'shared'> => ({
  id,
  revision: 1,
  kind: 'shared',
  inbound: 'wg-1',
  account: { protocol: 'wg', ...peerOf(who) },
})
export const personalAccess = (changes: Partial<AccessOf<'amnezia-wg'>> = {}): AccessOf<'amnezia-wg'> => ({
  id: 'c3',
  revision: 1,
  kind: 'amnezia-wg',
  listen: '0.0.0.0',
  port: 51830,
  private_key: personalKeys.privateKey,
  parameters,
  peer: peerOf(personal),
  ...changes,
})
export const clientConfig = (
  who: Customer,
  gateway: string,
  shape: AwgParameters | null,
  port: number,
): ClientConfig => ({
  keys: who.keys,
  presharedKey: who.preshared,
  serverKey: (shape ? personalKeys : sharedKeys).publicKey,
  endpoint: `${gateway}:${port}`,
  parameters: shape,
})
