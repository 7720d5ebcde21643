import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { describeWith } from '../engines/engines.ts'
import { promtool } from '../pieces.ts'
import { alertNames, rulesPath, scaledRules } from './scaled-rules.ts'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for: string
}

const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
const inMs = (duration: string): number => {
  const [, count, unit] = /^(\d+)(ms|s|m|h)$/.exec(duration) ?? []
  return Number(count) * (milliseconds[unit ?? ''] ?? Number.NaN)
}
const rulesOf = (text: string): Rule[] =>
  (parse(text) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules)
const windowsOf = (expr: string): number[] =>
  Array.from(expr.matchAll(/\[([^\]]+)\]/g), ([, window]) => inMs(window ?? ''))
const withoutDurations = ({ expr, for: _, ...rest }: Rule) => ({
  ...rest,
  expr: expr.replace(/\[[^\]]+\]/g, '[]'),
})

const given = rulesOf(readFileSync(rulesPath, 'utf8'))
const scaled = rulesOf(scaledRules(15))

test('only durations differ', () => {
  expect(scaled.map(withoutDurations)).toEqual(given.map(withoutDurations))
  expect(given.map(({ alert }) => alert)).toEqual(alertNames())
})

test('every duration is divided by the same number', () => {
  expect(scaled.map((rule) => inMs(rule.for) * 15)).toEqual(given.map((rule) => inMs(rule.for)))
  const windows = given.flatMap(({ expr }) => windowsOf(expr))
  expect(scaled.flatMap(({ expr }) => windowsOf(expr)).map((window) => window * 15)).toEqual(windows)
  expect(windows.length).toBeGreaterThan(5)
})

describeWith(promtool, 'promtool', () => {
  test('finds them right', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-rules-'))
    writeFileSync(join(folder, 'rules.yml'), scaledRules(15))
    const { status, stderr } = spawnSync(
      promtool.find() ?? '',
      ['check', 'rules', join(folder, 'rules.yml')],
      {
        encoding: 'utf8',
      },
    )
    rmSync(folder, { recursive: true })
    expect([status, stderr]).toEqual([0, ''])
  })
})
