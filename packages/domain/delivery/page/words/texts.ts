import type { Language } from '../../../text/language.ts'
import { english } from './texts-en.ts'
import { russian, type Texts } from './texts-ru.ts'

export const texts: Readonly<Record<Language, Texts>> = { ru: russian, en: english }
