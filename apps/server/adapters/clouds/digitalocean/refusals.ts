import type { RefusalKind } from '../../../ports/clouds.ts'

/** What DigitalOcean means: its error ids only repeat the status, so the rest is in its words. */

const kindsOfStatus: ReadonlyMap<number, RefusalKind> = new Map([
  [401, 'account'],
  [402, 'account'],
  [403, 'account'],
  [404, 'gone'],
  [409, 'busy'],
  [423, 'busy'],
])

const kindsOfWords: readonly (readonly [RegExp, RefusalKind])[] = [
  [/\bdroplet limit\b/i, 'quota'],
  [/\bpending event\b|\bis (currently )?locked\b/i, 'busy'],
  [
    /\b(size|region|image)\b.*\b(not available|unavailable)\b|\bnot available in (this|the) region\b/i,
    'stock',
  ],
]
const statusesWithWords: ReadonlySet<number> = new Set([400, 403, 412, 422])

export const kindOfAnswer = (status: number, message: string): RefusalKind => {
  const said = statusesWithWords.has(status) ? kindsOfWords.find(([words]) => words.test(message)) : undefined
  return said?.[1] ?? kindsOfStatus.get(status) ?? 'invalid'
}
