import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { russianOf, russianProblems } from '../apps/server/http/problems/in-russian.ts'
import { everySentence } from './sentences.ts'

/** What customers can be told is wrong, and whether it is there in Russian. */

const holesOf = (text: string) => [...text.matchAll(/\{(\w+)[^{}]*\}/g)].map(([, name]) => name).sort()

test('every hole of a Russian sentence is one of the English', () => {
  for (const [english, russian] of Object.entries(russianProblems)) {
    expect(holesOf(english), english).toEqual(expect.arrayContaining(holesOf(russian)))
    expect(russian).toMatch(/[а-яё]/i)
    expect(russian, 'without a full stop').not.toMatch(/\.$/)
  }
})

/** Where only those who run the service, their nodes and visitors of other pages are answered. */
const notForCustomers = [
  /^apps\/(agent|cli|web)\//,
  /^apps\/server\/features\/(operator|agents|console|sandbox|delivery(?!\/once)|install)\//,
  /^apps\/server\/(local|adapters|compose|db)\//,
  /^apps\/server\/(config|main|cli)/,
  /^apps\/server\/core\/(draining|customers|statistics|alerts|webhooks|broadcasts|operators)\//,
  /^apps\/server\/core\/clouds\/(machine-|manual-repair)/,
  /^apps\/server\/core\/delivery\/template-trial/,
  /^apps\/server\/core\/fleet\/(certificates|change-server|new-servers|nodes)\.ts/,
  /^apps\/server\/core\/settlement\/(refunds|suspense|withdrawals)\.ts/,
  /^apps\/server\/core\/terms\/term-days/,
  /^apps\/server\/http\/docs\//,
  /^packages\/contract\//,
  /^packages\/domain\/(delivery\/(apps|choice|page|templates|happ|offline)|identity)/,
  // What Xray's own names are may be said in its own words.
  /^packages\/domain\/vpn\/xray-policy/,
]
/** For operators, in files that serve customers too. */
const saidToOperators = [
  'is not on sale; put it on sale first',
  'is switched off for this customer; switch it on first',
  'needs the role {}',
  'this token was not made for {}',
]
/** Made of others, which are looked for by themselves. */
const composed = ['{}, or null', 'must be {}{}', 'must be at most {}: {}', '{}']

const sentences = everySentence()

const plain = (text: string) => text.replace(/\{[^{}]*(\{[^{}]*\}[^{}]*)*\}/g, '{}')

test('whatever the rules say to customers is there in Russian', () => {
  const known = new Set(Object.keys(russianProblems).map(plain))
  const said = sentences
    .filter(({ file, ru, en }) => ru === '' && en !== '' && !notForCustomers.some((one) => one.test(file)))
    .flatMap(({ file, line, en }) =>
      en.split(' / ').map((one) => ({ at: `${file}:${line}`, one: plain(one) })),
    )
    .filter(({ one }) => one.includes(' ') && ![...saidToOperators, ...composed].includes(one))
  expect(said.length).toBeGreaterThan(80)
  expect(said.filter(({ one }) => !known.has(one) && russianOf(one) === undefined)).toEqual([])
})

test('none is kept that nobody says any more', () => {
  const root = join(import.meta.dirname, '..')
  const files = [...new Set(sentences.map(({ file }) => file)), ...otherFiles]
  const code = files
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
    .replaceAll(/\$\{[^{}]*(\{[^{}]*\}[^{}]*)*\}/g, '{}')
  const gone = Object.keys(russianProblems)
    .filter((sentence) => !madeOfParts.some((one) => one.test(sentence)))
    .filter((sentence) => !code.includes(plain(sentence)))
  expect(gone).toEqual([])
})

const otherFiles = [
  'node_modules/typebox/build/system/locale/en_US.mjs',
  'packages/domain/text/hostname.ts',
  'packages/domain/vpn/switch-rules.ts',
]
/** Put together of several pieces of the code. */
const madeOfParts = [
  /^must be (a|an|true|>|<) ?\S*/,
  /^must be (\S+ )*text without control|^must be empty|^must be one line/,
  /^must be at most \{n\}: larger/,
  /^with this \{name\}/,
  /^this address takes/,
  /comments are not accepted/,
  /^too many requests: wait/,
]
