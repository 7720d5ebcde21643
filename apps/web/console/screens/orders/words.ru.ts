import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Заказы и платежи',
  search: 'Номер, почта или код целиком',
  provider: 'Провайдер',
  customerNumber: 'Номер клиента',
  order: 'Заказ',
  one: '{id}: {product}',
  forDays: '{n|день|дня|дней}',
  gift: 'подарок',
  key: 'ключом',
  renewal: 'продление',
  customer: 'Клиент',
  sum: 'Сумма',
  way: 'Чем',
  state: 'Состояние',
  made: 'Когда',
  none: 'Таких заказов нет. Сбросьте фильтры, чтобы увидеть все.',
})
