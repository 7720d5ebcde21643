import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Серверы',
  location: 'Локация',
  node: 'Узел',
  state: 'Состояние',
  notRetired: 'Все, кроме выведенных',
  none: 'Таких серверов нет.',
  toNodes: 'Серверы добавляются на странице узла',
  server: 'Сервер',
  one: 'Сервер {id}',
  away: 'узел не на связи',
  slots: 'Места',
  used: '{used} из {capacity}',
  protocols: 'Протоколы',
  certificate: 'Сертификат',
})
