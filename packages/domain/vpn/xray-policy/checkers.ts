import { type Json, type JsonObject, type JsonProblem, memberPath } from '../../text/strict-json.ts'

/**
 * The words the policy is written in. A checker returns what is kept of a value, and notes what is wrong with it;
 * undefined means that nothing is kept. A result counts only when no problem was noted.
 */
export type Checker<T> = (value: Json, path: string, problems: JsonProblem[]) => T | undefined

/** Nobody reads more, so nothing is looked at after these. */
export const maxProblems = 20

type Table = Readonly<Record<string, Checker<unknown>>>
type Kept<C> = C extends Checker<infer T> ? T : never
type Shape<R extends Table, O extends Table> = { readonly [K in keyof R]: Kept<R[K]> } & {
  readonly [K in keyof O]?: Kept<O[K]>
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Accepts what the predicate accepts, unchanged. */
const when =
  <T extends Json>(accepts: (value: Json) => value is T, advice: string): Checker<T> =>
  (value, path, problems) => {
    if (accepts(value)) return value
    problems.push({ path, problem: advice })
    return undefined
  }

export const only = <const T extends readonly (string | number | boolean)[]>(
  ...values: T
): Checker<T[number]> =>
  when(
    (value): value is T[number] => values.some((one) => one === value),
    `must be ${values.map((one) => JSON.stringify(one)).join(' or ')}`,
  )

export const flag: Checker<boolean> = only(true, false)

export const integer = (min: number, max: number): Checker<number> =>
  when(
    (value): value is number => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
    `must be a whole number from ${min} to ${max}`,
  )

/** Text for which the judge, which says what is wrong or null, finds nothing. */
export const judged =
  (judge: (text: string) => string | null): Checker<string> =>
  (value, path, problems) => {
    const problem = typeof value === 'string' ? judge(value) : 'must be text in double quotes'
    if (problem === null) return value as string
    problems.push({ path, problem })
    return undefined
  }

export const text = (pattern: RegExp, advice: string): Checker<string> =>
  judged((value) => (pattern.test(value) ? null : advice))

/** Text that may be written in several ways and is kept in one; null for what is none of them. */
export const rewritten =
  (rewrite: (text: string) => string | null, advice: string): Checker<string> =>
  (value, path, problems) => {
    const kept = typeof value === 'string' ? rewrite(value) : null
    if (kept === null) problems.push({ path, problem: advice })
    return kept ?? undefined
  }

/** Checked, and then left out, because the service sets it or it changes nothing. */
export const dropped =
  (checker: Checker<unknown>): Checker<never> =>
  (value, path, problems) => {
    checker(value, path, problems)
    return undefined
  }

export const arrayOf =
  <T>(checker: Checker<T>, min: number, max: number): Checker<readonly T[]> =>
  (value, path, problems) => {
    if (!Array.isArray(value) || value.length < min || value.length > max) {
      const count = min === max ? `exactly ${min}` : `${min} to ${max}`
      problems.push({ path, problem: `must be an array of ${count}` })
      return undefined
    }
    const kept: T[] = []
    for (const [index, item] of value.entries()) {
      if (problems.length >= maxProblems) return undefined
      kept.push(checker(item, `${path}[${index}]`, problems) as T)
    }
    return kept
  }

/** Names that Go takes for one. */
const sameName = (name: string, names: readonly string[]): string | undefined =>
  names.find((one) => one.toLowerCase() === name.toLowerCase())

const misplaced = (
  key: string,
  permitted: readonly string[],
  refused: Readonly<Record<string, string>>,
): string => {
  const meant = sameName(key, permitted)
  if (meant !== undefined) return `is not known: write ${meant}, in lower and upper case as here`
  const reason = refused[sameName(key, Object.keys(refused)) ?? ''] ?? 'is not supported here'
  return reason.includes(': ') ? reason : `${reason}: remove it`
}

/** Every key that may stand there, with its checker; any other is refused, the best known ones with a reason. */
export const object =
  <R extends Table, O extends Table>(
    required: R,
    optional: O,
    refused: Readonly<Record<string, string>> = {},
  ): Checker<Shape<R, O>> =>
  (value, path, problems) => {
    if (!isObject(value)) {
      problems.push({ path, problem: 'must be an object' })
      return undefined
    }
    const permitted = new Map<string, Checker<unknown>>(Object.entries({ ...required, ...optional }))
    const kept: Record<string, unknown> = {}
    for (const [key, member] of Object.entries(value)) {
      if (problems.length >= maxProblems) return undefined
      const at = memberPath(path, key)
      const checker = permitted.get(key)
      const result = checker?.(member, at, problems)
      if (result !== undefined) kept[key] = result
      if (!checker) problems.push({ path: at, problem: misplaced(key, [...permitted.keys()], refused) })
    }
    for (const key of Object.keys(required)) {
      if (!Object.hasOwn(value, key)) problems.push({ path: memberPath(path, key), problem: 'is missing' })
    }
    return kept as Shape<R, O>
  }

/** The checker that the member names; the advice is for a member that names none. */
export const variant =
  <C extends Table>(member: string, cases: C, advice: string): Checker<Kept<C[keyof C]>> =>
  (value, path, problems) => {
    const name = isObject(value) ? value[member] : undefined
    if (typeof name === 'string' && Object.hasOwn(cases, name)) {
      return cases[name]?.(value, path, problems) as Kept<C[keyof C]> | undefined
    }
    problems.push({ path: memberPath(path, member), problem: advice })
    return undefined
  }

/** One checker for text, another for anything else. */
export const textOr =
  <A, B>(ofText: Checker<A>, ofOther: Checker<B>): Checker<A | B> =>
  (value, path, problems) =>
    (typeof value === 'string' ? ofText : ofOther)(value, path, problems)

export type Report = (path: string, problem: string) => void

/** Adds what concerns several members at once; asked only about what is right in itself. */
export const also =
  <T>(checker: Checker<T>, judge: (value: T, report: Report) => void): Checker<T> =>
  (value, path, problems) => {
    const before = problems.length
    const kept = checker(value, path, problems)
    if (kept === undefined || problems.length > before) return undefined
    judge(kept, (at, problem) => {
      const isJoined = path === '' || at === '' || at.startsWith('[')
      problems.push({ path: isJoined ? path + at : `${path}.${at}`, problem })
    })
    return kept
  }

/** The first index whose key stood before. */
export const repeatedIndex = <T>(items: readonly T[], keyOf: (item: T) => string): number => {
  const seen = new Set<string>()
  return items.findIndex((item) => seen.size === seen.add(keyOf(item)).size)
}
