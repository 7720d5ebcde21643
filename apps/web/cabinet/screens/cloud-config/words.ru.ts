import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Конфигурация',
  back: '← К серверу',
  missing: 'Такой конфигурации на этом сервере нет.',
})
