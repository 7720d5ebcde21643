import type { SerializedError } from 'vitest'
import { DefaultReporter, type TestCase, type TestModule, type Vitest } from 'vitest/node'
import { everythingRequired, missingLine } from './support/missing.ts'
import type { Piece } from './support/pieces.ts'

export type Counts = { passed: number; failed: number; skipped: number }

export function finalLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

/** Errors outside a test (a file that does not load, a failing beforeAll) count as failures of their own. */
export function count(modules: readonly TestModule[], unhandledErrors: number, missing: Piece[]): Counts {
  const counts: Counts = { passed: 0, failed: unhandledErrors, skipped: 0 }
  for (const module of modules) {
    const suites = [module, ...module.children.allSuites()]
    counts.failed += suites.filter((suite) => suite.errors().length > 0).length
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'passed' || state === 'failed') counts[state] += 1
      else counts.skipped += 1
      if (module.project.name === 'embedded' && lacksPostgres(missing)) counts.skipped += 1
    }
  }
  return counts
}

function lacksPostgres(missing: Piece[]): boolean {
  return missing.some((piece) => piece.name === 'PostgreSQL')
}

export default class SallyportReporter extends DefaultReporter {
  #missing: Piece[]
  #counts: Counts | undefined
  #refusedSkips = false

  constructor(missing: Piece[]) {
    super()
    this.#missing = missing
    // Vitest prints some of its messages after the reporters have ended; the counts come after those.
    process.once('exit', (code) => {
      const counts = this.#counts ?? { passed: 0, failed: 0, skipped: 0 }
      // A run that ends badly before its first test, such as in a global set-up, is one failure.
      const unexplained = code !== 0 && counts.failed === 0 && !this.#refusedSkips
      process.stdout.write(`${finalLine(unexplained ? { ...counts, failed: 1 } : counts)}\n`)
    })
  }

  override onInit(vitest: Vitest): void {
    super.onInit(vitest)
    for (const piece of this.#missing) this.log(missingLine(piece))
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: Parameters<DefaultReporter['onTestRunEnd']>[2],
  ): void {
    super.onTestRunEnd(modules, errors, reason)
    this.#counts = count(modules, errors.length, this.#missing)
    this.#listSlowest(modules)
    this.#listSkipped(modules)
    if (!everythingRequired() || (this.#counts.skipped === 0 && this.#missing.length === 0)) return
    this.log('SALLYPORT_TEST_REQUIRE=all: a skipped test or a missing piece is a failure')
    this.#refusedSkips = true
    process.exitCode = 1
  }

  #listSlowest(modules: readonly TestModule[]): void {
    const files = modules.map((module) => ({ module, seconds: secondsOf(module) }))
    const slowest = files.sort((a, b) => b.seconds - a.seconds).slice(0, 10)
    if (slowest.length > 0) this.log('\nwhere time goes')
    for (const { module, seconds } of slowest) {
      this.log(`${seconds.toFixed(1).padStart(7)} s  ${label(module)}`)
    }
  }

  #listSkipped(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests('skipped')])
    const bySuite = Map.groupBy(tests, (test) => test.parent)
    const lines = [...bySuite.values()].map(skippedLine)
    const inEmbedded = modules.filter((module) => module.project.name === 'embedded')
    if (lacksPostgres(this.#missing) && inEmbedded.length > 0) {
      lines.push(`${inEmbedded.length} files on PostgreSQL (install postgresql to run them)`)
    }
    if (lines.length === 0) return
    this.log('\nskipped')
    for (const line of lines) this.log(`  ${line}`)
  }
}

function secondsOf(module: TestModule): number {
  const { prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic()
  return (prepareDuration + collectDuration + setupDuration + duration) / 1000
}

function label(module: TestModule): string {
  return `${module.relativeModuleId} (${module.project.name})`
}

function skippedLine([first, ...others]: TestCase[]): string {
  if (!first) return ''
  const result = first.result()
  const note = result.state === 'skipped' && result.note ? `: ${result.note}` : ''
  const more = others.length > 0 ? ` (and ${others.length} more beside it)` : ''
  return `${label(first.module)} > ${first.fullName}${note}${more}`
}
