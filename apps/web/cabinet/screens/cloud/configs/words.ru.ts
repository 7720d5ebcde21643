import { translated } from '../../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Конфигурации',
  empty: 'На сервере пока ничего нет. Добавьте конфигурацию, и она появится в приложениях.',
  add: 'Добавить конфигурацию',
  open: 'Открыть',
  openIt: 'Открыть: {name}',
  more: 'Ещё: {name}',
  remove: 'Удалить',
  removeConfirm: 'Удалить «{name}»?',
  removeText:
    'Устройства, которые ею пользуются, сразу отключатся. Вернуть её нельзя, но можно добавить новую.',
  removed: 'Удалили.',
})
