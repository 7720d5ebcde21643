import { expect, test } from 'vitest'
import { stepState } from './steps.tsx'

test('a status names what has happened, and the next is going on', () => {
  const steps = ['ordered', 'purchased', 'active'] as const
  const shown = (status: (typeof steps)[number]) => steps.map((step) => stepState(step, status))
  expect(shown('ordered')).toEqual(['done', 'now', 'later'])
  expect(shown('purchased')).toEqual(['done', 'done', 'now'])
  expect(shown('active')).toEqual(['done', 'done', 'done'])
})
