import type { Language } from '../../text/language.ts'
import type { Endpoint } from '../../vpn/endpoint.ts'
import { titleOf } from './titles.ts'

/** Stands in a list in place of what cannot be given, and says why; it connects nowhere. */
export interface Notice {
  readonly protocol: 'notice'
  readonly title: string
}

/** One line of a subscription, in the order the customer sees them. */
export type Entry = Endpoint | Notice

export const notice = (title: string): Notice => ({ protocol: 'notice', title })

/** Every protocol can be spoken to here, and nobody ever answers. */
export const nowhere = { host: '127.0.0.1', port: 1 } as const

const cannotUse: Readonly<Record<Language, string>> = {
  ru: 'Это приложение не поддерживает протоколы ваших подключений: возьмите другое приложение',
  en: 'This app does not support the protocols of your connections: use another app',
}

export interface Carried<Part> {
  readonly title: string
  readonly part: Part
}

/** What a format can carry, in the customer's order; where it can carry nothing, a notice says so. */
export const carriedOf = <Part>(
  entries: readonly Entry[],
  language: Language,
  partOf: (entry: Entry) => Part | null,
): Carried<Part>[] => {
  const carry = (entry: Entry): Carried<Part>[] => {
    const part = partOf(entry)
    return part === null ? [] : [{ title: titleOf(entry), part }]
  }
  const carried = entries.flatMap(carry)
  return carried.length > 0 ? carried : carry(notice(cannotUse[language]))
}
