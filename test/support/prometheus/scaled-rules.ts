import { readFileSync } from 'node:fs'

/** The alert rules as operators are given them, with all their durations divided by one number: nothing in a trial lasts for an hour. */

export const rulesPath = new URL('../../../deploy/prometheus/rules.yml', import.meta.url)

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

const divided = (count: string, unit: string, by: number): string =>
  `${Math.round((Number(count) * 1000 * (unitSeconds[unit] ?? 0)) / by)}ms`

/** Only how long something has to be so (`for: 5m`), and over what it is looked at (`[5m]`). */
export const scaleRules = (text: string, by: number): string =>
  text
    .replace(/^( +for: )(\d+)([smhd])$/gm, (_, key, count, unit) => `${key}${divided(count, unit, by)}`)
    .replace(/\[(\d+)([smhd])\]/g, (_, count, unit) => `[${divided(count, unit, by)}]`)

export const scaledRules = (by: number): string => scaleRules(readFileSync(rulesPath, 'utf8'), by)

export const alertNames = (): string[] =>
  Array.from(readFileSync(rulesPath, 'utf8').matchAll(/^ +- alert: (\w+)$/gm), ([, name]) => name ?? '')
