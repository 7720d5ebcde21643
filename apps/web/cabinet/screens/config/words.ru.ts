import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Подключение',
  missing: 'Такого подключения у вас нет: возможно, его срок давно истёк или оно в другом аккаунте.',
  buy: 'Выбрать новое',
})
