import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { neededPackages, readLock } from './packages.ts'

test('packages are taken with what they need, the nearest of each name, and no builder', () => {
  const lock = {
    'apps/server': { dependencies: { fastify: '1', rolldown: '1', '@sallyport/contract': '1' } },
    'node_modules/@sallyport/contract': { link: true },
    'packages/contract': { dependencies: { typebox: '1' } },
    'node_modules/fastify': { dependencies: { pino: '1' }, optionalDependencies: { absent: '1' } },
    'node_modules/fastify/node_modules/pino': { dependencies: { atomic: '1' } },
    'node_modules/pino': {},
    'node_modules/atomic': {},
    'node_modules/typebox': {},
    'node_modules/rolldown': {},
    'node_modules/vitest': {},
  }
  expect(neededPackages(lock)).toEqual([
    'node_modules/atomic',
    'node_modules/fastify',
    'node_modules/fastify/node_modules/pino',
    'node_modules/typebox',
  ])
})

test('a release has what the service imports, and nothing of tests or builds', () => {
  const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
  const needed = neededPackages(readLock(root))
  expect(needed).toEqual(
    expect.arrayContaining(['node_modules/fastify', 'node_modules/pg', 'node_modules/ioredis']),
  )
  for (const name of ['vitest', 'vite', 'rolldown', 'typescript', 'playwright-core', 'preact'])
    expect(needed).not.toContain(`node_modules/${name}`)
})
