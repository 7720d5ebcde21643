import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { describeWith } from '../../../../test/support/engines/engines.ts'
import { promtool } from '../../../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../../../test/support/service.ts'

/** The rules and the dashboard speak of what /metrics really says. */

const root = join(import.meta.dirname, '../../../..')
const fileOf = (path: string): string => join(root, 'deploy', path)
const textOf = (path: string): string => readFileSync(fileOf(path), 'utf8')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook: string }
}
const rules = (parse(textOf('prometheus/rules.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
)

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly expr: string }[]
}
const { panels } = JSON.parse(textOf('grafana/sallyport.json')) as { panels: Panel[] }

/** What is read in an expression; a histogram is read by its parts. */
const namesIn = (expr: string): string[] =>
  Array.from(expr.matchAll(/\b(?:sallyport|nodejs|process)_\w+/g), ([name]) =>
    name.replace(/_(bucket|sum|count)$/, ''),
  )

describe('names', () => {
  let service: TestService
  let text: string
  beforeAll(async () => {
    service = await startTestService()
    text = (await service.call('GET', '/metrics')).body
  })
  afterAll(() => service.stop())
  const told = () => new Set(Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name))
  const expressions = () => [
    ...rules.map(({ expr }) => expr),
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ]

  test('every one in a rule or on the dashboard is told', () => {
    const known = told()
    expect(
      expressions()
        .flatMap(namesIn)
        .filter((name) => !known.has(name)),
    ).toEqual([])
  })

  test('each of ours is on the dashboard or in a rule, and explained', () => {
    const used = new Set(expressions().flatMap(namesIn))
    const document = readFileSync(join(root, 'docs/seeing.md'), 'utf8')
    const ours = [...told()].filter((name) => name?.startsWith('sallyport_')) as string[]
    const support = ['sallyport_figures_age_seconds']
    expect(ours.filter((name) => !used.has(name) && !support.includes(name))).toEqual([])
    expect(ours.filter((name) => !document.includes(`\`${name}\``))).toEqual([])
  })
})

test('each rule says how bad it is and what to do, and leads to a place that is there', () => {
  const document = readFileSync(join(root, 'docs/seeing.md'), 'utf8')
  const anchors = new Set(Array.from(document.matchAll(/<a id="([\w-]+)">/g), ([, anchor]) => anchor))
  for (const { alert, labels, annotations } of rules) {
    expect(['critical', 'warning'], alert).toContain(labels.severity)
    expect(annotations.summary.length, alert).toBeGreaterThan(10)
    expect(annotations.description.length, alert).toBeGreaterThan(40)
    const [file, anchor] = annotations.runbook.split('#')
    expect([file, anchors.has(anchor ?? '')], alert).toEqual(['docs/seeing.md', true])
    expect(document, alert).toContain(`\`${alert}\``)
  }
})

test('the dashboard has a row for each part, and nothing on it covers another', () => {
  const titles = panels.filter(({ type }) => type === 'row').map(({ title }) => title)
  expect(titles).toEqual(['Customers', 'Money', 'Operations', 'Database', 'Agents', 'Jobs', 'Machines'])
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  for (const { gridPos, title } of panels) expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)}:${y + Math.floor(at / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
})

describeWith(promtool, 'promtool', () => {
  const run = (...args: string[]) => spawnSync(promtool.find() ?? '', args, { encoding: 'utf8' })

  test('finds the rules and the settings right', () => {
    const checked = run('check', 'rules', fileOf('prometheus/rules.yml'))
    expect([checked.status, checked.stderr]).toEqual([0, ''])
    const settings = run('check', 'config', '--syntax-only', fileOf('prometheus/prometheus.yml'))
    expect([settings.status, settings.stderr]).toEqual([0, ''])
  })

  test('shows each alert firing and silent', () => {
    const tested = run('test', 'rules', fileOf('prometheus/rules.test.yml'))
    expect([tested.status, tested.stderr, tested.stdout]).toEqual([0, '', expect.stringContaining('SUCCESS')])
    const tests = parse(textOf('prometheus/rules.test.yml')) as { tests: { name: string }[] }
    const shown = new Set(tests.tests.map(({ name }) => name))
    for (const { alert } of rules) {
      expect(shown, alert).toContain(`${alert} fires`)
      expect(shown, alert).toContain(`${alert} is silent`)
    }
  })
})
