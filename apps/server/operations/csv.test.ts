import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../test/support/service.ts'

/** Lists as tables, over HTTP. The audit log stands for all of them. */

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const asTable = (path: string, token = service.operatorToken) =>
  service.call('GET', `/operator/v1${path}`, { token, headers: { accept: 'text/csv' } })

const write = async (subject: string, actions: readonly string[]): Promise<void> => {
  const rows = await service.db.selectFrom('operators').select('id').limit(1).execute()
  const entry = {
    operator_id: (rows[0] as { id: number }).id,
    subject,
    details: JSON.stringify({ note: 'one, "two"' }),
    created_at: 1_700_000_000,
  }
  await service.db
    .insertInto('audit_log')
    .values(actions.map((action) => ({ ...entry, action })))
    .execute()
}

test('all of the filter, whatever the limit, in the order of the list', async () => {
  const actions = Array.from({ length: 1201 }, (_, n) => `action ${n}`)
  await write('many', actions)
  const { status, headers, body } = await asTable('/audit?subject=many&limit=2')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  const lines = String(body).split('\r\n')
  expect(lines.at(0)).toBe('id,operator_id,operator,action,subject,details,created_at')
  expect(lines.at(-1)).toBe('')
  expect(lines.slice(1, -1).map((line) => line.split(',')[3])).toEqual(actions.toReversed())
})

test('what a table program would take for a formula is text, and commas and quotes stay inside', async () => {
  await write('hostile', ['=1+1', '+1', '-1', '@a', '\tx', 'a,b', 'plain'])
  const lines = String((await asTable('/audit?subject=hostile')).body).split('\r\n')
  const details = '"{""note"":""one, \\""two\\""""}"'
  expect(lines.slice(1, -1).map((line) => line.replace(/^\d+,\d+,[^,]+,/, ''))).toEqual(
    ['plain', '"a,b"', "'\tx", "'@a", "'-1", "'+1", "'=1+1"].map(
      (action) => `${action},hostile,${details},1700000000`,
    ),
  )
})

test('a list of nothing is its head', async () => {
  expect(String((await asTable('/audit?subject=nothing')).body)).toBe(
    'id,operator_id,operator,action,subject,details,created_at\r\n',
  )
})

test('table programs see that it is UTF-8', async () => {
  const answer = await fetch(`${service.running.url}/operator/v1/audit?limit=1`, {
    headers: { accept: 'text/csv', authorization: `Bearer ${service.operatorToken}` },
  })
  expect([...new Uint8Array(await answer.arrayBuffer()).slice(0, 5)]).toEqual([0xef, 0xbb, 0xbf, 0x69, 0x64])
})

test('what is wrong is said in the envelope', async () => {
  const wrong = await asTable('/audit?no_such_name=1')
  expect([wrong.status, wrong.body.details[0].path]).toEqual([400, 'no_such_name'])
  expect((await asTable('/audit', 'nobody')).status).toBe(401)
})

test('operations that are no tables answer as ever', async () => {
  const { headers, body } = await asTable('/settings')
  expect([headers.get('content-type'), body.status]).toEqual(['application/json; charset=utf-8', true])
})
