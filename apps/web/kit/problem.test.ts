import { SallyportError } from '@sallyport/contract/client/core'
import { expect, test, vi } from 'vitest'

vi.mock('../lib/send.ts', () => ({ SallyportError, NoAnswer: class extends Error {} }))
const { troubleOf } = await import('./problem.tsx')

const refused = new SallyportError(
  {
    statusCode: 400,
    errorCode: 3,
    message: 'BAD_REQUEST',
    details: [
      { path: 'title', problem: 'is too long' },
      { path: 'server_id', problem: 'is full' },
    ],
  },
  undefined,
)

test('what stands beside its field is not said again', () => {
  expect(troubleOf(refused).details).toEqual(['It is too long', 'It is full'])
  expect(troubleOf(refused, (path) => path === 'title').details).toEqual(['It is full'])
  expect(troubleOf(refused, () => true)).toEqual({
    text: 'Correct what is marked and send again.',
    details: [],
  })
})
