/**
 * Texts by name, with holes. `{name}` is filled as it is; `{days|day|days}` is a number with what it counts, in the plural of the
 * language: two forms in English, three in Russian. A missing text, or one with other holes, does not compile.
 */

export type Words = Readonly<Record<string, string>>

type NameIn<H extends string> = H extends `${infer Name}|${string}` ? Name : H
export type HolesOf<S> = S extends `${string}{${infer H}}${infer Rest}` ? NameIn<H> | HolesOf<Rest> : never

type HasSameHoles<A, B> = [HolesOf<A>] extends [HolesOf<B>]
  ? [HolesOf<B>] extends [HolesOf<A>]
    ? true
    : false
  : false

type Fits<E extends Words, R extends Words> = {
  readonly [K in keyof E]: K extends keyof R ? (HasSameHoles<E[K], R[K]> extends true ? R[K] : never) : string
} & { readonly [K in Exclude<keyof R, keyof E>]: never }

/** The same texts in another language. */
export const translated =
  <E extends Words>() =>
  <const R extends Words>(words: R & Fits<E, R>): R =>
    words

export type Values<S> = Readonly<Record<HolesOf<S>, string | number>>
type Rest<S> = [HolesOf<S>] extends [never] ? [] : [values: Values<S>]
export type Translate<W extends Words> = <K extends keyof W & string>(
  name: K,
  ...values: Rest<W[K]>
) => string

/** With the full stop behind it: «2027 г.» needs no second one. */
const hole = /\{(\w+)(?:\|([^}]*))?\}(\.?)/g

/** Russian has one, few and many; English one and other. */
const formOf = (forms: readonly string[], count: number, plurals: Intl.PluralRules): string => {
  const rule = plurals.select(count)
  if (rule === 'one') return forms[0] ?? ''
  return (rule === 'few' ? forms[1] : forms.at(-1)) ?? ''
}

export const translator = <const W extends Words>(words: W, language: string): Translate<W> => {
  const numbers = new Intl.NumberFormat(language)
  const plurals = new Intl.PluralRules(language)
  return (name, ...[values]) =>
    (words[name] as string).replace(hole, (_, key: string, forms: string | undefined, stop: string) => {
      const value = (values as Readonly<Record<string, string | number>> | undefined)?.[key] ?? ''
      if (typeof value === 'string') return value.endsWith('.') ? value : value + stop
      const shown = numbers.format(value)
      const counted = forms === undefined ? '' : `\u00a0${formOf(forms.split('|'), value, plurals)}`
      return shown + counted + stop
    })
}
