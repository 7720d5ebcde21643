import { describe, expect, test } from 'vitest'
import { checkArrows, checkFile, checkFolders, circles, importsOf, resolveImport } from './check-imports.ts'

type Row = [file: string, source: string]

const allowed: Row[] = [
  [
    'packages/contract/customer/a.ts',
    "import Type from 'typebox'\nimport { per } from '../operation.ts'\nimport { B } from './b.ts'",
  ],
  ['packages/contract/operation.ts', "import type { ErrorName } from './errors.ts'"],
  ['packages/contract/operator/a.ts', "import { Days } from '../customer/shapes.ts'"],
  ['packages/contract/tables.ts', "import { agent } from './agent/operations.ts'"],
  [
    'packages/contract/client/a.ts',
    "import { tables } from '../tables.ts'\nimport { x } from '../docs/openapi.ts'",
  ],
  ['packages/domain/pricing.ts', "import type { Tariff } from '@sallyport/contract/shapes'"],
  ['packages/domain/pricing.ts', "import { type Tariff, type Id } from '@sallyport/contract/shapes'"],
  ['packages/domain/hash.ts', "import { createHash } from 'node:crypto'"],
  [
    'apps/server/main.ts',
    "import { stripe } from './adapters/stripe.ts'\nimport './features/configs/handlers.ts'",
  ],
  [
    'apps/server/http/auth.ts',
    "import { findKey } from '../core/credentials.ts'\nimport type { Db } from '../db/client.ts'",
  ],
  ['apps/server/core/orders.ts', "import { sql } from 'kysely'\ndb.insertInto('orders')"],
  ['apps/server/features/configs/queries.ts', "import { sql } from 'kysely'\ndb.selectFrom('configs')"],
  ['apps/server/features/configs/handlers.ts', "import { findConfig } from './queries.ts'"],
  [
    'apps/server/features/configs/configs.test.ts',
    "import { service } from '../../../../test/support/service.ts'",
  ],
  ['apps/server/adapters/stripe.ts', "import type { Payments } from '../ports/payments.ts'"],
  ['apps/server/config.ts', 'export const port = process.env.PORT'],
  ['apps/agent/main.ts', 'const home = process.env.HOME'],
  ['apps/server/compose/expiry.ts', '// db.selectFrom is for queries.ts\n/* process.env */\nexport {}'],
  ['apps/web/main.ts', "import { createClient } from '@sallyport/contract/client/client'"],
  ['apps/web/main.ts', "import { x } from '@sallyport/domain/money/money'"],
  [
    'e2e/crash.test.ts',
    "import { xrayPath } from '../test/support/engines/engines.ts'\nconst e = process.env.X",
  ],
  ['apps/server/long.test.ts', 'x\n'.repeat(400)],
  ['apps/server/http/fits.ts', 'x\n'.repeat(300)],
]

const forbidden: [...Row, line: number, rule: RegExp][] = [
  [
    'packages/contract/shapes.ts',
    "import { x } from '@sallyport/domain/money/money'",
    1,
    /contract\/primitives may not import/,
  ],
  ['packages/contract/docs/a.ts', "\nimport { z } from 'zod'", 2, /contract\/derived may not import zod/],
  ['packages/contract/a.ts', 'export const a = 1', 1, /seven files at its root/],
  ['packages/contract/other/a.ts', 'export const a = 1', 1, /seven files at its root/],
  ['packages/contract/shapes.ts', "import { tables } from './tables.ts'", 1, /primitives may not import/],
  ['packages/contract/errors.ts', "import { a } from './customer/shapes.ts'", 1, /primitives may not import/],
  [
    'packages/contract/customer/a.ts',
    "import { a } from '../operator/shapes.ts'",
    1,
    /customer may not import/,
  ],
  ['packages/contract/customer/a.ts', "import { t } from '../tables.ts'", 1, /customer may not import/],
  ['packages/contract/agent/a.ts', "import { a } from '../customer/shapes.ts'", 1, /agent may not import/],
  ['packages/contract/operator/a.ts', "import { a } from '../agent/agent.ts'", 1, /operator may not import/],
  ['packages/contract/tables.ts', "import { d } from './docs/openapi.ts'", 1, /tables may not import/],
  [
    'packages/domain/a.ts',
    "import { errors } from '@sallyport/contract/errors'",
    1,
    /only types of contract/,
  ],
  [
    'packages/domain/a.ts',
    "import { type A, b } from '@sallyport/contract/errors'",
    1,
    /only types of contract/,
  ],
  ['packages/domain/a.ts', "import { readFileSync } from 'node:fs'", 1, /domain may not import node:fs/],
  ['packages/domain/a.ts', 'const now = Date.now()', 1, /no clock/],
  ['apps/server/http/a.ts', "import { h } from '../features/configs/handlers.ts'", 1, /http may not import/],
  ['apps/server/http/a.ts', "const h = await import('../adapters/stripe.ts')", 1, /http may not import/],
  [
    'apps/server/operations/a.ts',
    "import type { FastifyRequest } from 'fastify'",
    1,
    /operations may not import fastify/,
  ],
  ['apps/server/operations/a.ts', "import { a } from '../http/auth.ts'", 1, /operations may not import/],
  ['apps/server/features/a/handlers.ts', "import { r } from '../../operations/a.ts'", 1, /features may not/],
  ['apps/server/db/a.ts', "import { h } from '../core/orders.ts'", 1, /db may not import/],
  ['apps/server/core/a.ts', "import {\n  h,\n} from '../http/auth.ts'", 3, /core may not import/],
  ['apps/server/core/a.ts', "import type { C } from '../config.ts'", 1, /core may not import/],
  ['apps/server/core/a.ts', "export * from '../features/configs/queries.ts'", 1, /core may not import/],
  ['apps/server/adapters/a.ts', "import { l } from '../http/limits.ts'", 1, /adapters may not import/],
  ['apps/server/features/a/handlers.ts', "import { q } from '../b/queries.ts'", 1, /another feature/],
  [
    'apps/server/features/a/handlers.ts',
    "import { s } from '../../adapters/stripe.ts'",
    1,
    /features may not import/,
  ],
  [
    'apps/server/features/a/handlers.ts',
    "import { s } from '../../../../test/support/service.ts'",
    1,
    /may not import test/,
  ],
  ['apps/server/features/a/handlers.ts', "\n\ndb.selectFrom('x')", 3, /SQL lives/],
  ['apps/server/compose/a.ts', "import { type Kysely, sql } from 'kysely'", 1, /SQL lives/],
  [
    'apps/server/core/terms/a.ts',
    "import { m } from '../vpn/operations/moving.ts'",
    1,
    /terms may not import/,
  ],
  ['apps/server/core/fleet/a.ts', "import { h } from '../terms/terms.ts'", 1, /fleet may not import/],
  ['apps/server/core/fleet/a.ts', "import { t } from '../ledger/ledger.ts'", 1, /fleet may not import/],
  ['apps/server/core/terms/a.ts', "import { t } from '../ledger/ledger.ts'", 1, /terms may not import/],
  ['apps/server/core/kernel/a.ts', "import type { C } from '../call.ts'", 1, /kernel may not import/],
  ['apps/agent/engines/net/a.ts', "import { x } from '../xray/xray.ts'", 1, /net may not import/],
  ['packages/domain/text/a.ts', "import { m } from '../money/money.ts'", 1, /text may not import/],
  ['apps/server/core/a.ts', 'const x = process.env.HOME', 1, /process\.env/],
  ['apps/agent/enrol.ts', 'const x = process.env.HOME', 1, /process\.env/],
  ['apps/agent/enrol.ts', "import { x } from '../server/core/vault.ts'", 1, /agent may not import/],
  ['apps/web/main.ts', "import { x } from '../server/core/call.ts'", 1, /web may not import/],
  ['e2e/a.test.ts', "import { x } from '../bench/main.ts'", 1, /e2e may not import/],
  ['apps/server/core/index.ts', 'export const a = 1', 1, /barrel/],
  ['apps/server/core/long.ts', 'x\n'.repeat(301), 301, /at most 300 lines/],
]

describe('checkFile', () => {
  test.each(allowed)('lets %s contain %j', (file, source) => {
    expect(checkFile(file, source)).toEqual([])
  })

  test.each(forbidden)('refuses in %s: %j', (file, source, line, rule) => {
    const breaches = checkFile(file, source)
    expect(breaches).toHaveLength(1)
    expect(breaches[0]).toMatchObject({ file, line, rule: expect.stringMatching(rule) })
    expect(breaches[0]?.instead).not.toBe('')
  })
})

test('strings that only look like imports are not imports', () => {
  expect(importsOf("export type Method = 'GET'\nexport interface A {\n  from: 'a'\n}")).toEqual([])
  expect(
    importsOf("export function f(): 'x' {\n  return g(from) ?? 'y'\n}\nexport type { A } from './b.ts'"),
  ).toEqual([{ specifier: './b.ts', typeOnly: true, line: 4 }])
  expect(importsOf("const a = 'x'\nexport const from = { import: 'y' }\nexport const b = 'z'")).toEqual([])
})

test('paths are resolved inside the repository', () => {
  expect(resolveImport('apps/server/http/a.ts', '../core/b.ts')).toBe('apps/server/core/b.ts')
  expect(resolveImport('apps/agent/a.ts', '@sallyport/domain/engine/b')).toBe('packages/domain/engine/b.ts')
  expect(resolveImport('apps/agent/a.ts', 'fastify')).toBeNull()
})

describe('the whole', () => {
  test('an import circle is named, whether of types or of values', () => {
    const ring = new Map([
      ['a/one.ts', "import { two } from './two.ts'"],
      ['a/two.ts', "import type { Three } from './three.ts'"],
      ['a/three.ts', "import './one.ts'"],
      ['a/four.ts', "import './one.ts'"],
    ])
    expect(circles(ring)).toEqual([['a/one.ts', 'a/two.ts', 'a/three.ts', 'a/one.ts']])
    expect(circles(new Map([...ring].slice(1)))).toEqual([])
  })

  test('rooms that import each other are named, tests and what lies beside them are not', () => {
    const rooms = new Map([
      ['h/a/one.ts', "import '../b/two.ts'\nimport '../main.ts'"],
      ['h/b/two.ts', "import './three.ts'"],
      ['h/b/three.ts', ''],
      ['h/b/three.test.ts', "import '../a/one.ts'"],
      ['h/main.ts', "import './a/one.ts'"],
    ])
    expect(checkArrows(rooms)).toEqual([])
    rooms.set('h/b/three.ts', "import type { One } from '../a/one.ts'")
    expect(checkArrows(rooms)).toMatchObject([{ rule: 'h/a and h/b import each other' }])
  })

  test('a crowded folder is named', () => {
    const files = (count: number) => Array.from({ length: count }, (_, n) => `a/b/${n}.ts`)
    expect(checkFolders(files(22))).toEqual([])
    expect(checkFolders(files(23))).toMatchObject([{ file: 'a/b', rule: expect.stringContaining('23') }])
  })
})
