import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import SallyportReporter from './test/reporter.ts'
import { missingPieces } from './test/support/missing.ts'
import { postgresql } from './test/support/pieces.ts'

const missing = missingPieces()

/** An embedded database takes some 400 MB, so more workers than this cost memory and win little. */
const maxWorkers = Math.max(1, Math.min(4, availableParallelism()))

/** Adapters have no database, so they are tested once, with what is plain. */
const withoutDatabase = 'apps/server/adapters/**'

/**
 * Both engines speak the same SQL. Where PostgreSQL is, it runs every test of the server, and the embedded database the
 * ones about storage, a year of business, buying, and what must happen once; where it is not, the embedded database runs
 * them all.
 */
const onBothEngines = [
  'apps/server/{db,local,simulation}/**/*.test.ts',
  'apps/server/core/{account-races,codes,deletion,demo,devices,guesses,letter-limits,mail,mailed-codes,transfer}.test.ts',
  'apps/server/jobs/auto-renewal.test.ts',
  'apps/server/features/configs/{configs,renewal,concurrency}.test.ts',
  'apps/server/features/identity/{email,email-siege,passkey-sign-in,refresh}.test.ts',
  'apps/server/features/webhooks/providers.test.ts',
]

const serverTests = {
  include: ['apps/server/**/*.test.ts'],
  testTimeout: 60_000,
  hookTimeout: 120_000,
  maxWorkers,
}

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers,
    passWithNoTests: true,
    reporters: [new SallyportReporter(missing)],
    projects: [
      {
        extends: true,
        test: {
          name: 'plain',
          testTimeout: 20_000,
          include: [
            'packages/**/*.test.ts',
            'apps/agent/**/*.test.ts',
            'apps/server/adapters/**/*.test.ts',
            'scripts/**/*.test.ts',
            'test/**/*.test.ts',
          ],
          maxWorkers,
        },
      },
      {
        extends: true,
        test: {
          ...serverTests,
          name: 'embedded',
          include: missing.includes(postgresql) ? serverTests.include : onBothEngines,
          exclude: ['**/*.postgres.test.ts', withoutDatabase],
          env: { SALLYPORT_TEST_DB: 'embedded' },
          globalSetup: ['test/support/embedded-template.ts'],
        },
      },
      ...(missing.includes(postgresql)
        ? []
        : [
            {
              extends: true as const,
              test: {
                ...serverTests,
                name: 'postgres',
                exclude: ['**/*.embedded.test.ts', withoutDatabase],
                env: { SALLYPORT_TEST_DB: 'postgres' },
                globalSetup: ['test/support/global-setup.ts'],
              },
            },
          ]),
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts', 'test/support/embedded-template.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Each makes its own folders, ports and namespaces, and waits for processes half of its time.
          maxWorkers,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
