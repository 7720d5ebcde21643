import { expect, test } from 'vitest'
import { checkDependencies, type Manifest, packageOf } from './check-dependencies.ts'

const domain: Manifest = { name: '@ours/domain', folder: 'packages/domain', dependencies: { yaml: '2.9.1' } }
const server: Manifest = {
  name: '@ours/server',
  folder: 'apps/server',
  dependencies: { '@ours/domain': '0.1.0', '@scope/one': '1.0.0', fastify: '5.12.8' },
}

const whole: [string, string][] = [
  ['packages/domain/a.ts', "import { parse } from 'yaml'\nimport { createHash } from 'node:crypto'"],
  [
    'apps/server/a.ts',
    "import type { A } from '@ours/domain/a'\nimport { b } from './b.ts'\nexport { x } from '@scope/one/deep'",
  ],
  ['apps/server/b.ts', "const { fastify } = await import('fastify')\n// import { x } from 'zod'"],
  ['apps/server/b.test.ts', "import { test } from 'vitest'"],
  ['test/support/a.ts', "import { z } from 'zod'"],
]

const breachesOf = (...more: [string, string][]) =>
  checkDependencies([domain, server], new Map([...whole, ...more])).map(({ file, line, rule }) => [
    file,
    line,
    rule,
  ])

test('a workspace that declares what it imports is as it should be', () => {
  expect(breachesOf()).toEqual([])
})

test('what is imported and not declared is found, where it is imported', () => {
  expect(breachesOf(['apps/server/c.ts', "\nimport Type from 'typebox/type'"])).toEqual([
    ['apps/server/c.ts', 2, 'typebox is not among the dependencies of @ours/server'],
  ])
  expect(breachesOf(['packages/domain/b.ts', "import type { A } from '@ours/server/a'"])).toEqual([
    ['packages/domain/b.ts', 1, '@ours/server is not among the dependencies of @ours/domain'],
  ])
})

test('that another workspace declares it does not count', () => {
  expect(breachesOf(['packages/domain/b.ts', "import 'fastify'"])).toEqual([
    ['packages/domain/b.ts', 1, 'fastify is not among the dependencies of @ours/domain'],
  ])
})

test('a path into another workspace is an import of it', () => {
  expect(breachesOf(['packages/domain/b.ts', "import { b } from '../../apps/server/b.ts'"])).toEqual([
    ['packages/domain/b.ts', 1, '@ours/server is not among the dependencies of @ours/domain'],
  ])
})

test('what is declared and imported by tests alone is found', () => {
  const sources = new Map([
    ['packages/domain/a.ts', "// import 'yaml'"],
    ['packages/domain/a.test.ts', "import 'yaml'"],
  ])
  expect(checkDependencies([domain], sources)).toMatchObject([
    { file: 'packages/domain/package.json', rule: 'nothing but tests imports yaml' },
  ])
})

test('versions are exact', () => {
  const sources = new Map([['packages/domain/a.ts', "import 'yaml'"]])
  const found = checkDependencies([{ ...domain, dependencies: { yaml: '^2.9.1' } }], sources)
  expect(found).toMatchObject([{ rule: 'yaml is asked for as ^2.9.1' }])
})

test.each([
  ['yaml', 'yaml'],
  ['typebox/compile', 'typebox'],
  ['@scope/one', '@scope/one'],
  ['@scope/one/deep/er', '@scope/one'],
  ['node:fs', null],
])('%s is of the package %s', (specifier, name) => {
  expect(packageOf(specifier)).toBe(name)
})
