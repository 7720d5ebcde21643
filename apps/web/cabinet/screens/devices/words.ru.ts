import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Устройства',
  others: 'У отдельных ссылок свои списки устройств.',
  toSubscriptions: 'Отдельные ссылки',
})
