import { expect, test } from 'vitest'
import { type Intention, listOf, listText, stepsOf } from './texts.ts'

const intention: Intention = {
  from: '/tmp/sallyport-0.2.0-linux-x64.tar.gz',
  version: '0.2.0',
  current: '0.1.0',
  serving: 8081,
  free: 8082,
  isBack: false,
  takesBackup: true,
  trialSeconds: 15,
}

test('the steps of an upgrade', () => {
  expect(stepsOf(intention)).toEqual([
    'Take /tmp/sallyport-0.2.0-linux-x64.tar.gz, compare its checksum, and unpack it beside release 0.1.0.',
    'Have release 0.2.0 look at the settings, the secret key and the database.',
    'Back up, if the database is to change and the last backup is older than an hour.',
    'Bring the database up to date while release 0.1.0 serves.',
    'Start release 0.2.0 as sallyport@8082.service, and watch it for 15 s without customers.',
    'Let both serve for 15 s.',
    'Make release 0.2.0 the current one, now and after a reboot.',
    'Let sallyport@8081.service finish what it was asked, and stop it.',
    'Remove all but the last three releases.',
  ])
})

test.each<[string, Partial<Intention>, RegExp[], RegExp[]]>([
  ['without a backup', { takesBackup: false }, [], [/Back up/]],
  ['of a release on the disk', { from: undefined }, [], [/checksum/]],
  ['going back', { isBack: true }, [/Leave the database/], [/Back up/, /up to date/]],
  [
    'of a service that is stopped',
    { serving: undefined },
    [/watch it for 15 s\./],
    [/both/, /finish/, /while/],
  ],
  ['of a release whose name says nothing', { version: undefined }, [/Start the release as/], [/undefined/]],
])('the steps %s', (_what, change, there, away) => {
  const text = stepsOf({ ...intention, ...change }).join('\n')
  for (const one of there) expect(text).toMatch(one)
  for (const one of away) expect(text).not.toMatch(one)
})

test('a list says what runs, where, and what never did', () => {
  const releases = [
    { version: '0.1.0', servedAtMs: 0 },
    { version: '0.2.0', servedAtMs: 86_400_000 },
    { version: '0.3.0', servedAtMs: undefined },
  ]
  const places = [
    { port: 8081, release: '0.1.0', isRunning: false, isEnabled: false },
    { port: 8082, release: '0.2.0', isRunning: true, isEnabled: true },
  ] as const
  expect(listText(listOf(releases, '0.2.0', places))).toBe(
    [
      '  0.1.0        began to serve 1970-01-01 00:00:00 UTC',
      '* 0.2.0        began to serve 1970-01-02 00:00:00 UTC, runs as sallyport@8082.service',
      '  0.3.0        never served',
    ].join('\n'),
  )
})
