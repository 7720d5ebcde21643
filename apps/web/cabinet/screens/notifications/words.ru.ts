import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Уведомления',
  empty: 'Уведомлений пока нет.',
  emptyText: 'Здесь появятся напоминания о продлении и новости о ваших серверах и платежах.',
  isNew: 'Новое',
  clear: 'Очистить список',
  clearTitle: 'Очистить список?',
  clearText: 'Уведомления хранятся только в этом браузере, вернуть их не получится.',
  kept: 'Хранятся последние 100, только в этом браузере.',
  hours: 'Когда присылать напоминания',
})
