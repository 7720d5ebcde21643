import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Тревоги',
  state: 'Состояние',
  open: 'Открытые',
  over: 'Решённые',
  all: 'Все',
  none: 'Всё в порядке.',
  what: 'Что это значит и что делать',
  where: 'О чём',
  since: 'С какого времени',
  resolve: 'Решено',
  resolveOne: 'Решено: тревога {id}',
  resolved: 'Тревога закрыта.',
  resolvedAt: 'с {at}',
})
