// Plain JavaScript without dependencies: it runs on the Node of the host, before anything is installed.
import { buildWeb, buildWebForStart } from './launch/build-web.mjs'
import { launch, prepare, root, start } from './launch/launch.mjs'

const vitest = 'node_modules/vitest/vitest.mjs'
const biome = 'node_modules/@biomejs/biome/bin/biome'

const targets = {
  test: [vitest, 'run'],
  'test:long': [vitest, 'run'],
  'test:gate': [vitest, 'run'],
  e2e: [vitest, 'run', '--project', 'e2e'],
  check: ['scripts/check.ts'],
  format: [biome, 'check', '--write', '.'],
  bench: ['bench/main.ts'],
  'bench:console': ['bench/console/main.ts'],
  cluster: ['bench/cluster/main.ts'],
  tunnels: ['bench/tunnels/main.ts'],
  'engines:install': ['scripts/install-engines.ts'],
  'tests:prepare': ['scripts/prepare-tests.ts'],
  sentences: ['scripts/sentences.ts'],
  release: ['scripts/release/main.ts'],
}

const [name = 'help', ...args] = process.argv.slice(2)
const target = targets[name]
/** Which of the tests; vitest.config.ts says which take long. */
const tests = { 'test:long': 'long', 'test:gate': 'gate', e2e: 'all' }
if (tests[name]) process.env.SALLYPORT_TESTS = tests[name]
if (name === 'install') {
  await prepare()
} else if (name === 'build') {
  await build()
} else if (name === 'start') {
  await start(args)
} else if (target) {
  const [file, ...fixed] = target
  const countsNothing = () => console.log('0 passed, 1 failed, 0 skipped')
  await launch(file, [...fixed, ...args], {
    cwd: root,
    onKilled: file === vitest ? countsNothing : undefined,
    first: name === 'bench:console' ? buildWebForStart : undefined,
  })
} else {
  await launch('apps/server/cli.ts', [name, ...args])
}

async function build() {
  const node = await prepare()
  if (!node) return
  const { seconds, problem } = (await buildWeb(root, node)) ?? {}
  if (problem !== undefined) {
    console.error(`${problem}\nThe cabinet could not be built.`)
    process.exitCode = 1
    return
  }
  const done = seconds ? `Built the cabinet in ${seconds} s.` : 'The cabinet is as its sources are.'
  console.log(done)
}
