import { translated } from '../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  cloud: 'Свой сервер · {id}',
})
