import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'VPN в одной стране',
  missing: 'Такой конфигурации у вас нет: возможно, её срок давно истёк или она в другом аккаунте.',
  buy: 'Выбрать новую',
})
