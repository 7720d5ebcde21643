import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import LongestFirst from './test/longest-first.ts'
import SallyportReporter from './test/reporter.ts'
import { missingPieces } from './test/support/missing.ts'
import { postgresql } from './test/support/pieces.ts'

const missing = missingPieces()

/** An embedded database takes some 400 MB, so more workers than this cost memory and win little. */
const cores = Math.max(1, Math.min(4, availableParallelism()))

/** `{a,b}` as two patterns. */
const eachOf = (pattern: string): string[] => {
  const list = /\{([^{}]*)\}/.exec(pattern)
  return list ? (list[1] ?? '').split(',').flatMap((one) => eachOf(pattern.replace(list[0], one))) : [pattern]
}

/** Files by their names: one that has another name now would be left out, and nobody would notice. */
const existing = (patterns: string[]): string[] => {
  const gone = patterns.flatMap(eachOf).filter((one) => globSync(one).length === 0)
  if (gone.length > 0) throw new Error(`vitest.config.ts names tests that are not there: ${gone.join(', ')}`)
  return patterns
}

/** Adapters have no database, so they are tested once, with what is plain. */
const withoutDatabase = 'apps/server/adapters/**'

const withEngines = '{apps,packages}/**/*.engine.test.ts'

/** A customer's life against what it was recorded as. */
const life = 'test/life/*.test.ts'

/** With one product more than there are, so that the contract itself is another. */
const anyProduct = 'apps/server/core/terms/any-product.test.ts'

/**
 * Both engines speak the same SQL. Where PostgreSQL is, it runs every test of the server, and the embedded database those
 * that look at what differs there: the folder, one connection for all, and how values, bytes above all, come out of it.
 * Where it is not, the embedded database runs them all.
 */
const onBothEngines = existing([
  'apps/server/db/**/*.test.ts',
  'apps/server/local/{demo/demo,second-start.embedded,secret-key}.test.ts',
  'test/simulation/**/*.test.ts',
  'apps/server/core/kernel/{guesses,mail}.test.ts',
  'apps/server/core/accounts/{devices/devices,mailed-codes,one-time-codes}.test.ts',
  'apps/server/core/closing/{account-move,account-races,deletion}.test.ts',
  'apps/server/core/custom-subscriptions/{delivered-items,items}.test.ts',
  'apps/server/core/terms/auto-renewal-job.test.ts',
  'apps/server/core/fleet/metering.test.ts',
  'apps/server/core/statistics/fold.test.ts',
  'apps/server/core/draining/copies.test.ts',
  'apps/server/core/webhooks/delivery.test.ts',
  'apps/server/core/vpn/failover/failover.test.ts',
  'apps/server/features/configs/{configs,renewal,concurrency}.test.ts',
  'apps/server/features/paid-options/{delivery,hostile-node,paid-options,traffic}.test.ts',
  'apps/server/features/identity/email/email.test.ts',
  'apps/server/features/identity/{passkeys/passkey-sign-in,sessions/refresh}.test.ts',
  'apps/server/features/operator/staff/signing-in.test.ts',
])

const simulation = ['test/simulation/**/*.test.ts']

/** A minute or so each: real machines, killed processes, a year of business, a siege. They are run before a release. */
const long = {
  e2e: existing([
    'e2e/backups/{embedded,postgres}.test.ts',
    'e2e/{bridges,carried,cloud-crash,cloud-servers,console-sign-in,crash,credentials,delivered,first-start}.test.ts',
    'e2e/{drain,drain-crash,first-sale,installer,matrix,options,paid-options,passkeys,readme}.test.ts',
    'e2e/machines/agent-upgrade.test.ts',
    'e2e/production/*.test.ts',
    'e2e/{server-changes,subscription-page,switched-off}.test.ts',
    'e2e/proofs/{first-start-killed,overload,releases}.test.ts',
    'e2e/cabinet/{clock,curtain,journey,keyboard,kit,leads,lost-answer,mini-app,mirrors,offline,one-time-link,own-host}.test.ts',
    'e2e/cabinet/{owned,screens,shop,states,troubles,tunnel,two-tabs}.test.ts',
    'e2e/console/{alerts,catalogue,customers,delivery,first-sale,fleet,machines,money,orders,saved-views,screens,staff,two-operators}.test.ts',
  ]),
  server: existing([
    ...simulation,
    'apps/server/features/identity/email/email-siege.test.ts',
    'apps/server/features/cloud-servers/{providers,undelivered}.test.ts',
    'apps/server/db/{failover,migrate,replica,replica-timelines}.postgres.test.ts',
    'apps/server/doctor/{doctor,real-parts}.postgres.test.ts',
    'apps/server/checks/{fuzz,last-slot,oversized,schedulers.postgres,smuggling}.test.ts',
  ]),
  engines: existing([
    'apps/agent/engines/*/{confinement,own-addresses,personal-many,xray-protocols,xray-renewal}.engine.test.ts',
    'packages/domain/delivery/formats/clash/mihomo.engine.test.ts',
  ]),
  /** What must happen once, on one connection. PostgreSQL, where there is one, has run these in `npm test`. */
  embedded: missing.includes(postgresql)
    ? []
    : existing([
        'apps/server/local/secret-key.test.ts',
        'apps/server/core/kernel/{guesses,mail}.test.ts',
        'apps/server/core/accounts/{devices/devices,mailed-codes}.test.ts',
        'apps/server/core/closing/{account-move,account-races,deletion}.test.ts',
        'apps/server/core/fleet/metering.test.ts',
        'apps/server/core/statistics/fold.test.ts',
        'apps/server/core/draining/copies.test.ts',
        'apps/server/core/webhooks/delivery.test.ts',
        'apps/server/core/custom-subscriptions/{delivered-items,items}.test.ts',
        'apps/server/core/terms/auto-renewal-job.test.ts',
        'apps/server/core/vpn/failover/failover.test.ts',
        'apps/server/features/configs/{concurrency,configs,renewal}.test.ts',
        'apps/server/features/identity/email/email.test.ts',
        'apps/server/features/identity/{passkeys/passkey-sign-in,sessions/refresh}.test.ts',
        'apps/server/features/operator/staff/signing-in.test.ts',
        'apps/server/features/paid-options/{delivery,hostile-node,paid-options,traffic}.test.ts',
      ]),
}

/** Of the long ones those for which .ci/run has time: a service that is set up and sells, outlives kills, and carries every protocol. */
const gate = existing([
  'e2e/{crash,first-sale,first-start,matrix}.test.ts',
  'apps/server/db/{failover,migrate}.postgres.test.ts',
])

const filesOf = (patterns: string[]): string[] => patterns.flatMap(eachOf).flatMap((one) => globSync(one))

/**
 * `npm test` leaves the long ones out, `npm run test:long` runs nothing else, `npm run test:gate` some of these; whoever names
 * files gets those.
 */
const namesFiles = process.argv
  .slice(2)
  .some((argument) => /^(apps|bench|packages|e2e|scripts|test)\b/.test(argument))
const chosen = process.env.SALLYPORT_TESTS ?? (namesFiles ? 'all' : 'usual')
const choose = (include: string[], ofThem: string[], exclude: string[] = []) => {
  if (chosen === 'long') return { include: ofThem, exclude }
  if (chosen === 'gate')
    return { include: filesOf(ofThem).filter((file) => filesOf(gate).includes(file)), exclude }
  return { include, exclude: chosen === 'usual' ? [...exclude, ...ofThem] : exclude }
}

/**
 * Tests of the server wait for PostgreSQL a third of their time; for the embedded database and years of business they do not. Those
 * from outside have folders, ports and namespaces of their own and wait for processes, so more of them go on together. They come last:
 * what is timed by engines and by killed processes must not starve beside a year of business.
 */
const maxWorkers = chosen === 'long' || chosen === 'gate' || missing.includes(postgresql) ? cores : cores + 1
const waiting = {
  maxWorkers: cores + 1,
  sequence: { groupOrder: 1 },
}

/** Measures what a customer waits for, so nothing else runs beside it. */
const speed = existing(['e2e/cabinet/speed.test.ts'])

const fromOutside = {
  isolate: true,
  // It starts in a tenth of the time. What is started as people do brings its own.
  env: { SALLYPORT_TEST_DB: missing.includes(postgresql) ? 'embedded' : 'postgres' },
  globalSetup: [
    'test/support/databases/global-setup.ts',
    'test/support/databases/embedded-template.ts',
    'test/support/web-build.ts',
  ],
  testTimeout: 300_000,
  hookTimeout: 300_000,
}

const everyServerTest = ['apps/server/**/*.test.ts', 'test/simulation/**/*.test.ts']
const serverTests = {
  testTimeout: 180_000,
  hookTimeout: 300_000,
  maxWorkers,
}

export default defineConfig({
  test: {
    pool: 'forks',
    // Files share a process, which loads the service once. Whatever a test changes outside of itself, it puts back.
    isolate: false,
    unstubEnvs: true,
    unstubGlobals: true,
    maxWorkers,
    passWithNoTests: true,
    sequence: { sequencer: LongestFirst },
    // What was recorded is compared; `-u` records it anew, and nothing else writes one that is missing.
    update: 'none',
    // A poll ends when what it waits for is there, so its patience costs nothing, even where a machine stands still.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    reporters: [new SallyportReporter(missing)],
    projects: [
      {
        extends: true,
        test: {
          name: 'plain',
          testTimeout: 60_000,
          ...choose(
            [
              'packages/**/*.test.ts',
              'apps/{agent,cli,web}/**/*.test.ts',
              'apps/server/adapters/**/*.test.ts',
              '{bench,scripts}/**/*.test.ts',
              'test/{support/**/,}*.test.ts',
            ],
            [],
            [withEngines],
          ),
          maxWorkers,
        },
      },
      {
        extends: true,
        test: {
          name: 'engines',
          testTimeout: 180_000,
          hookTimeout: 180_000,
          ...choose([withEngines], long.engines),
          ...waiting,
        },
      },
      {
        extends: true,
        test: {
          ...serverTests,
          name: 'embedded',
          ...choose(
            missing.includes(postgresql) ? everyServerTest : onBothEngines,
            [...(missing.includes(postgresql) ? long.server : simulation), ...long.embedded],
            ['**/*.postgres.test.ts', withoutDatabase, anyProduct],
          ),
          env: { SALLYPORT_TEST_DB: 'embedded' },
          globalSetup: ['test/support/databases/embedded-template.ts'],
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
                ...choose(everyServerTest, long.server, [
                  '**/*.embedded.test.ts',
                  withoutDatabase,
                  anyProduct,
                ]),
                env: { SALLYPORT_TEST_DB: 'postgres' },
                globalSetup: ['test/support/databases/global-setup.ts'],
              },
            },
          ]),
      {
        extends: true,
        test: {
          ...serverTests,
          name: 'any product',
          isolate: true,
          ...choose([anyProduct], []),
          env: { SALLYPORT_TEST_DB: missing.includes(postgresql) ? 'embedded' : 'postgres' },
          globalSetup: [
            `test/support/databases/${missing.includes(postgresql) ? 'embedded-template' : 'global-setup'}.ts`,
          ],
        },
      },
      // In a process of its own, for it draws its numbers otherwise. PostgreSQL is enough for `npm test`, where there is one.
      ...(missing.includes(postgresql) ? ['embedded'] : ['embedded', 'postgres']).map((engine) => ({
        extends: true as const,
        test: {
          ...serverTests,
          name: `life on ${engine}`,
          isolate: true,
          ...choose([life], engine === 'embedded' && !missing.includes(postgresql) ? [life] : []),
          env: { SALLYPORT_TEST_DB: engine },
          globalSetup: [
            `test/support/databases/${engine === 'embedded' ? 'embedded-template' : 'global-setup'}.ts`,
          ],
        },
      })),
      {
        extends: true,
        test: {
          ...fromOutside,
          name: 'e2e',
          ...choose(['e2e/**/*.test.ts'], long.e2e, speed),
          ...waiting,
        },
      },
      {
        extends: true,
        test: {
          ...fromOutside,
          name: 'speed',
          ...choose(speed, speed),
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
