import { generateKeyPairSync } from 'node:crypto'
import { emptyReport, signNodeToken } from '../../../test/support/node.ts'
import type { SecureCall as Call } from './secure-call.ts'

/** What a service that was just set up needs to sell, and its first customer. */

export const dataOf =
  (call: Call) =>
  async (method: string, path: string, token: string, body?: object): Promise<SoldData> => {
    const answer = await call(method, path, { token, body })
    if (answer.body?.status !== true)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type SoldData = any

export const firstSale = async (
  call: Call,
  operatorToken: string,
): Promise<{ nodeToken: string; customerToken: string }> => {
  const data = dataOf(call)
  const node = await data('POST', '/operator/v1/nodes', operatorToken, {
    name: 'nl-1',
    address: '203.0.113.5',
  })
  await data('POST', '/operator/v1/servers', operatorToken, {
    node_id: node.id,
    location_id: 1,
    capacity: 50,
    protocols: ['vless'],
    reality_target: 'www.example.com:443',
    reality_server_name: 'www.example.com',
  })
  const { privateKey } = generateKeyPairSync('ed25519')
  const { x } = privateKey.export({ format: 'jwk' })
  await call('POST', '/agent/v1/enrol', { body: { token: node.enrolment_token, public_key: x } })
  const nodeToken = await signNodeToken(node.id, privateKey)
  const reported = await call('POST', '/agent/v1/report', { token: nodeToken, body: emptyReport })
  if (reported.status !== 200) throw new Error(`the report of the node: ${reported.status}`)
  const user = await data('POST', '/operator/v1/users', operatorToken, { email: 'anna@example.com' })
  await data('POST', `/operator/v1/users/${user.id}/balance`, operatorToken, {
    account: 'wallet',
    amount: 500,
    reason: 'the first customer',
  })
  const bought = await data('POST', '/v1/configs', user.api_key, {
    location_id: 1,
    protocol: 'vless',
    payment_method_id: 1,
    tariff_id: 1,
  })
  if (bought.id !== 1) throw new Error(`bought ${JSON.stringify(bought)}`)
  return { nodeToken, customerToken: user.api_key }
}
