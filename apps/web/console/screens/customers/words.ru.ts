import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Клиенты',
  search: 'Кто',
  view: 'Вид',
  active: 'Есть действующее',
  ending: 'Закончится за 3 дня',
  ended: 'Было, но закончилось',
  never_connected: 'Ни разу не подключались',
  blocked: 'Заблокированы',
  paying: 'Платили за 30 дней',
  who: 'Клиент',
  numbered: 'Клиент {id}',
  number: '№',
  since: 'С какого времени',
  balance: 'Баланс',
  live: 'Действует',
  nextEnd: 'Ближайший конец',
  seen: 'Последний раз',
  blockedOne: 'заблокирован',
  deleted: 'удалён',
  write: 'Написать им',
  none: 'Таких клиентов нет. Сбросьте фильтры, чтобы увидеть всех.',
})
