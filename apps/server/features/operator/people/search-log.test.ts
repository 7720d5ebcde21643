import { expect, test, vi } from 'vitest'
import { startTestService } from '../../../../../test/support/service.ts'

test('what operators search for is not in the log, also when it fails', async () => {
  const lines: string[] = []
  // The logger writes there when it finds the method replaced, and to the file descriptor otherwise.
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(String(line))
    return true
  })
  const service = await startTestService({ env: { LOG_LEVEL: 'trace' } })
  try {
    await service.operator('GET', '/users?search=secretive%40example.com')
    await service.operator('GET', '/users?search=secretive&sort=nonsense')
    await service.operator('GET', '/nowhere?search=secretive')
    await service.createUser({ email: 'secretive1@example.com' })
    const table = await fetch(`${service.running.url}/operator/v1/users?search=secretive1`, {
      headers: { authorization: `Bearer ${service.operatorToken}`, accept: 'text/csv' },
    })
    expect(await table.text()).toContain('secretive1@example.com')
    const taken = lines.filter((line) => line.includes('taken as a table')).map((line) => JSON.parse(line))
    expect(taken).toMatchObject([{ operation: 'searchUsers', rows: 1, operatorId: expect.any(Number) }])
    await service.db.schema.alterTable('devices').renameColumn('found_by', 'lost').execute()
    expect((await service.operator('GET', '/users?search=secretive')).status).toBe(500)
    const log = lines.join('')
    expect(log).toContain('request failed')
    expect(log).not.toContain('secretive')
  } finally {
    spy.mockRestore()
    await service.stop()
  }
})
