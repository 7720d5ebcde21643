import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startTestService } from '../../../../test/support/service.ts'

const taken = (lines: string[]) => lines.map((line) => JSON.parse(line)).find((line) => 'perInstance' in line)

test('a start says how many connections it takes, and warns where they cannot all be had', async () => {
  const lines: string[] = []
  const service = await startTestService({
    env: { LOG_LEVEL: 'info', DATABASE_POOL: '100', DATABASE_READ_LANES: '3' },
    onLog: (line) => lines.push(line),
  })
  onTestFinished(() => service.stop())
  expect(taken(lines)).toMatchObject({ level: 30, perInstance: 105, instances: 1, available: 197 })
  const other = new pg.Client({
    connectionString: service.env.DATABASE_URL,
    application_name: 'sallyport other',
  })
  await other.connect()
  expect(await service.running.database.engine.capacity()).toMatchObject({ instances: 2 })
  await other.end()
})

test('more instances than there is room for are told what to do', async () => {
  const lines: string[] = []
  const service = await startTestService({
    env: { LOG_LEVEL: 'warn', DATABASE_POOL: '200' },
    onLog: (line) => lines.push(line),
  })
  await service.stop()
  expect(taken(lines)).toMatchObject({
    level: 40,
    msg: expect.stringMatching(/PostgreSQL, which has 197 .* DATABASE_POOL/),
  })
})
