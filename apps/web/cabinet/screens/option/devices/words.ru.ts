import { translated } from '../../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  empty: 'Пока ни одного. Подключите устройство, и оно появится здесь.',
  about:
    'Каждое занимает одно место. Удалённое вернётся, когда его приложение обновит подписку, если место ещё есть.',
  since: 'с {date}',
  remove: 'Удалить',
  removeIt: 'Удалить: {name}',
  removed: 'Место освободилось',
  more: 'И ещё {n|устройство|устройства|устройств}.',
  removeAll: 'Удалить все',
  removeAllConfirm: 'Удалить все устройства?',
  removeAllText: 'Все места освободятся. Устройства, которыми пользуются, вернутся, когда обновят подписку.',
  removedAll: 'Все места свободны',
})
