import { translated } from '../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  other: 'Если этот адрес не открывается в вашей сети, возьмите другой. Это та же ссылка:',
  copy: 'Скопировать ссылку на {host}',
})
