import { language } from './language.ts'

const sizes = language === 'ru' ? ['Б', 'КБ', 'МБ', 'ГБ', 'ТБ'] : ['B', 'KB', 'MB', 'GB', 'TB']

export const bytes = (count: number): string => {
  let value = count
  let at = 0
  while (value >= 1024 && at < sizes.length - 1) {
    value /= 1024
    at++
  }
  const digits = value < 10 && at > 0 ? 1 : 0
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value)}\u00a0${sizes[at]}`
}
