import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Подключение',
  back: '← К пакету серверов',
  missing: 'Такого подключения в этом пакете нет.',
  toOption: 'Открыть пакет серверов',
  notNow: 'Пакет серверов сейчас не работает, и это подключение тоже.',
  why: 'Узнать почему и что делать',
  follows:
    'Оно входит в пакет серверов, за настройками следит сервис. Чтобы выбрать протокол и настройки самим,',
  addOwn: 'добавьте в пакет своё подключение',
})
