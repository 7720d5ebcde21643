import { generateKeyPairSync } from 'node:crypto'
import type { agent } from '@sallyport/contract/agent/operations'
import type { BodyOf, DataOf } from '@sallyport/contract/operation'
import type { JWK } from 'jose'
import { newRequestId, requestIdHeader } from './common/request-id.ts'
import { openEnvelope } from './envelope.ts'
import { removeEnrolmentToken } from './machine/enrolment-token.ts'
import {
  type Identity,
  readEnrolmentKey,
  removeEnrolmentKey,
  writeEnrolmentKey,
  writeIdentity,
} from './state.ts'

const timeoutMs = 15_000

const newKey = (): JWK => {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return { kty: 'OKP', crv: 'Ed25519', x, d }
}

const exchange = async (serviceUrl: string, token: string, key: JWK): Promise<number> => {
  const body: BodyOf<typeof agent.enrolNode> = { token, public_key: key.x ?? '' }
  const response = await fetch(`${serviceUrl}/agent/v1/enrol`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [requestIdHeader]: newRequestId() },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const { node_id } = (await openEnvelope(response)) as DataOf<typeof agent.enrolNode>
  return node_id
}

/** Trades the one-time token for an identity and keeps it. The private key never leaves this machine. */
export const enrol = async (serviceUrl: string, token: string, directory: string): Promise<Identity> => {
  const privateKey = (await readEnrolmentKey(directory)) ?? newKey()
  await writeEnrolmentKey(directory, privateKey)
  const nodeId = await exchange(serviceUrl, token, privateKey)
  const identity: Identity = { nodeId, privateKey }
  await writeIdentity(directory, identity)
  await removeEnrolmentKey(directory)
  await removeEnrolmentToken(directory)
  return identity
}
