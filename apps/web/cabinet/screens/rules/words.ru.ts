import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Правила',
  none: 'Правила пока не опубликованы.',
  ask: 'Если есть вопрос, напишите в поддержку.',
  home: 'В кабинет',
})
