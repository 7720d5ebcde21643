import { expect, test } from 'vitest'
import type { TestModule } from 'vitest/node'
import { count, finalLine } from './reporter.ts'
import { postgresql, redis } from './support/pieces.ts'

type State = 'passed' | 'failed' | 'skipped' | 'pending'

function module(project: string, states: State[], errors = 0, suiteErrors = 0): TestModule {
  const tests = states.map((state) => ({ result: () => ({ state }) }))
  const suite = { errors: () => new Array(suiteErrors).fill({}) }
  const children = { allTests: () => tests.values(), allSuites: () => [suite].values() }
  return { project: { name: project }, errors: () => new Array(errors).fill({}), children } as never
}

test.each([
  [
    'counts by result',
    [module('plain', ['passed', 'failed', 'skipped', 'passed'])],
    0,
    [],
    '2 passed, 1 failed, 1 skipped',
  ],
  [
    'a test that never ran is skipped',
    [module('plain', ['pending'])],
    0,
    [],
    '0 passed, 0 failed, 1 skipped',
  ],
  ['a file that does not load fails', [module('plain', [], 1)], 0, [], '0 passed, 1 failed, 0 skipped'],
  ['a failing beforeAll fails', [module('plain', ['skipped'], 0, 1)], 0, [], '0 passed, 1 failed, 1 skipped'],
  ['unhandled errors fail', [module('plain', ['passed'])], 2, [], '1 passed, 2 failed, 0 skipped'],
  [
    'without PostgreSQL its half is skipped',
    [module('embedded', ['passed'])],
    0,
    [postgresql],
    '1 passed, 0 failed, 1 skipped',
  ],
  [
    'other suites have no such half',
    [module('plain', ['passed'])],
    0,
    [postgresql, redis],
    '1 passed, 0 failed, 0 skipped',
  ],
])('%s', (_name, modules, unhandled, missing, line) => {
  expect(finalLine(count(modules, unhandled, missing))).toBe(line)
})
