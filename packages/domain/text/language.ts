export type Language = 'ru' | 'en'

export const isLanguage = (value: unknown): value is Language => value === 'ru' || value === 'en'

/** One of each language, made once: formatters cost far more to make than to use. */
export const ofEachLanguage = <T>(make: (language: Language) => T): Readonly<Record<Language, T>> => ({
  ru: make('ru'),
  en: make('en'),
})

/** Russian unless the customer's own list puts English before it. */
export const languageOf = (acceptLanguage: string | undefined): Language => {
  if (!acceptLanguage) return 'ru'
  let best: Language = 'ru'
  let bestWeight = 0
  for (const part of acceptLanguage.slice(0, 500).split(',')) {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
    const language = /^(ru|en)(-|$)/.exec(tag)?.[1] as Language | undefined
    const quality = parameters.map((p) => /^\s*q=([\d.]+)$/.exec(p)?.[1]).find((q) => q !== undefined)
    const weight = quality === undefined ? 1 : Number(quality)
    if (language && weight > bestWeight) {
      best = language
      bestWeight = weight
    }
  }
  return best
}
