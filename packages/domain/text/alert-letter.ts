import { wordsOfAlert } from './alert-words.ts'

/** One letter about everything that is new: kinds are summed up, and each says what to do. */

export interface LetterAlert {
  readonly kind: string
  readonly subject: string
  readonly details: Readonly<Record<string, unknown>>
}

export interface AlertNews {
  readonly opened: readonly LetterAlert[]
  /** Settled by themselves since a letter spoke of them. */
  readonly ended: readonly LetterAlert[]
  /** All that are open now, the new ones too. */
  readonly openCount: number
  /** Where the service is. */
  readonly url: string
}

type Language = 'ru' | 'en'

const mostNamed = 10
/** What may stand in a letter beside the number of a thing: nobody's name and no sum. */
const names = ['name', 'domain', 'cloud', 'currency', 'provider'] as const

const phrases = {
  ru: {
    opened: 'Новое:',
    ended: 'Прошло само:',
    more: 'и ещё',
    open: 'Всего открыто',
    todo: 'Список открытых выводит команда sallyport alert list --is-open, улаженное отмечает sallyport alert resolve <номер>. Справочник оператора:',
  },
  en: {
    opened: 'New:',
    ended: 'Over by itself:',
    more: 'and more:',
    open: 'Open in all',
    todo: 'The command sallyport alert list --is-open shows them; sallyport alert resolve <number> marks what is settled. The operators’ reference:',
  },
} as const

const nameOf = ({ subject, details }: LetterAlert): string => {
  const found = names.map((name) => details[name]).find((value) => typeof value === 'string')
  return found === undefined ? subject : `${subject} (${found})`
}

const listed = (alerts: readonly LetterAlert[], language: Language): string => {
  const named = alerts.slice(0, mostNamed).map(nameOf).join(', ')
  const rest = alerts.length - mostNamed
  return rest > 0 ? `${named} ${phrases[language].more} ${rest}` : named
}

const section = (head: string, alerts: readonly LetterAlert[], language: Language, withWords: boolean) => {
  if (alerts.length === 0) return []
  const lines = [...Map.groupBy(alerts, ({ kind }) => kind)].map(([kind, alike]) => {
    const things = `• ${kind}: ${listed(alike, language)}`
    return withWords ? `${things}\n  ${wordsOfAlert(kind)[language]}` : things
  })
  return [head, ...lines, '']
}

const part = ({ opened, ended, openCount, url }: AlertNews, language: Language): string => {
  const words = phrases[language]
  return [
    ...section(words.opened, opened, language, true),
    ...section(words.ended, ended, language, false),
    `${words.open}: ${openCount}. ${words.todo} ${url}/docs/${language}/operators`,
  ].join('\n')
}

/** Operators have no language of their own here, so each letter is in both. */
export const alertLetter = (news: AlertNews): { readonly subject: string; readonly text: string } => {
  const { opened, ended } = news
  const subject =
    opened.length > 0
      ? `Sallyport: новых тревог — ${opened.length} (new alerts: ${opened.length})`
      : `Sallyport: тревог прошло — ${ended.length} (alerts over: ${ended.length})`
  return { subject, text: `${part(news, 'ru')}\n\n— — —\n\n${part(news, 'en')}\n` }
}
