import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { allOperations, type ContractOperation } from '@sallyport/contract/tables'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../test/support/service.ts'
import { addressOf, bodyExample, curlOf } from './examples.ts'
import { firstPurchase, setUpOperations, variables } from './tryout.ts'

const run = promisify(execFile)
const operations = [...allOperations()]
const demoOrigin = 'http://127.0.0.1:8080'

test.each([
  demoOrigin,
  'https://vpn.example.com',
])('every variable of the examples is set for %s', (origin) => {
  const set = [...variables(origin).matchAll(/^(\w+)=/gm)].map(([, name]) => name)
  const used = operations.flatMap((operation) =>
    [...curlOf(operation, 'en').matchAll(/\$(\w+)/g)].map(([, name]) => name),
  )
  expect(new Set(used)).toEqual(new Set(set))
})

test('the demo’s are read by the shell from where the demo keeps them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-docs-'))
  await mkdir(join(folder, 'data'))
  const kept = { base_url: demoOrigin, api_key: 'slp_a_b', operator_token: 'slo_c_d', user: { id: 1 } }
  await writeFile(join(folder, 'data', 'credentials.json'), JSON.stringify(kept, null, 2))
  const answer = '{"status":true,"statusCode":201,"data":{"session_token":"eyJ.x","expires_at":1}}'
  const script = `curl() { printf '%s' '${answer}'; }\n${variables(demoOrigin)}\necho "$ORIGIN $KEY $OPERATOR $SESSION"`
  const { stdout } = await run('sh', ['-c', script], { cwd: folder })
  expect(stdout.trim()).toBe(`${demoOrigin} slp_a_b slo_c_d eyJ.x`)
  await rm(folder, { recursive: true })
})

describe('a fresh demo', () => {
  let service: TestService
  let session: string
  const call = (operation: ContractOperation) => {
    const { method, auth } = operation.row
    const body = bodyExample(operation, 'en')
    const token = auth === 'operator' ? service.operatorToken : session
    return service.call(method, addressOf(operation, 'en'), { token, ...(body !== undefined && { body }) })
  }
  beforeAll(async () => {
    service = await startTestService()
    await service.heartbeat()
    session = (await service.operator('POST', '/users/1/sessions')).body.data.session_token
  })
  afterAll(() => service.stop())

  test('takes what has to be typed, pasted at once', async () => {
    for (const operation of [firstPurchase(), ...setUpOperations()]) {
      const { status, body } = await call(operation)
      expect([200, 201], `${operation.name} ${JSON.stringify(body)}`).toContain(status)
    }
  })

  /** Providers of identity, nodes, their upgrades, broadcasts and endpoints are not the demo's, and nobody is signed in to its console. */
  const others = [
    'openOauth',
    'finishOauth',
    'listOperatorPasskeys',
    'listOperatorSessions',
    'listWebhookDeliveries',
    'showBroadcast',
    'showAgentUpgrade',
  ]
  const reads = operations.filter(
    ({ name, row }) => row.method === 'GET' && row.auth !== 'agent' && !others.includes(name),
  )

  test.each(reads)('has what the example of $name asks for', async (operation) => {
    service.clock.advance(5)
    const { status, body } = await call(operation)
    expect(status, JSON.stringify(body)).toBe(200)
  })
})
