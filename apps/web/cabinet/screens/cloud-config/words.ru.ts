import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Подключение',
  back: '← К серверу',
  server: 'Сервер',
  offlineText: 'Если через несколько минут не заработает,',
  restart: 'перезагрузите сервер',
  missing: 'Такого подключения на этом сервере нет. Возможно, его удалили.',
  toServer: 'Открыть сервер',
  preparing: 'Сервер ещё готовится. Подключение появится, когда он заработает.',
})
