import { vi } from 'vitest'
import type { TestService } from './service.ts'

/** Everything the database is asked while the work goes on, whoever asks. */
export const statementsDuring = async (
  { running: { database } }: TestService,
  work: () => Promise<unknown>,
): Promise<string[]> => {
  const { engine } = database
  const statements: string[] = []
  const [read, acquire] = [engine.read.bind(engine), engine.acquire.bind(engine)]
  const spies = [
    vi.spyOn(engine, 'read').mockImplementation((sql, params) => {
      statements.push(sql)
      return read(sql, params)
    }),
    vi.spyOn(engine, 'acquire').mockImplementation(async () => {
      const connection = await acquire()
      return {
        query: (sql, params) => {
          statements.push(sql)
          return connection.query(sql, params)
        },
        release: () => connection.release(),
      }
    }),
  ]
  try {
    await work()
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return statements
}

/** Of work that asks the same each time: jobs ask in between, so the run that was told of least is it. */
export const countStatementsDuring = async (
  service: TestService,
  work: () => Promise<unknown>,
): Promise<number> => {
  const counts: number[] = []
  for (let n = 0; n < 4; n++) counts.push((await statementsDuring(service, work)).length)
  return Math.min(...counts)
}
