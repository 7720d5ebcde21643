import { language } from '../../../lib/language.ts'

interface Titled {
  readonly title_ru: string
  readonly title_en: string
}

/** What it is called in the language of the page. */
export const titleOf = ({ title_ru, title_en }: Titled): string => (language === 'ru' ? title_ru : title_en)
