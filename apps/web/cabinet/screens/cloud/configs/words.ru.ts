import { translated } from '../../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Подключения',
  empty: 'На сервере пока ничего нет. Добавьте подключение, и оно появится в приложениях.',
  add: 'Добавить подключение',
  open: 'Открыть',
  openIt: 'Открыть: {name}',
  more: 'Ещё: {name}',
  remove: 'Удалить',
  removeConfirm: 'Удалить «{name}»?',
  removeText:
    'Устройства, которые им пользуются, сразу отключатся. Вернуть его нельзя, но можно добавить новое.',
  removed: 'Удалено',
})
