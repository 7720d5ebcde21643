import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  kind: 'Что добавить',
  usual: 'VPN',
  usualText: 'Для устройств: весь их трафик идёт через сервер.',
  telegram: 'MTProto для Telegram',
  telegramText: 'Через сервер работает только Telegram, включается одним нажатием.',
  title: 'Название',
  titleHint: 'Необязательно. Например, «Телевизор» или «Роутер».',
  protocolNow: 'Протокол: {protocol}',
  serverNow: 'Сервер',
  options: 'Дополнительные настройки',
  optionsNow: 'Дополнительные настройки: включено {n}',
  add: 'Добавить',
  added: 'Добавлено, в приложениях появится само',
})
