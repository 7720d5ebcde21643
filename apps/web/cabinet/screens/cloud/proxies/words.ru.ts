import { translated } from '../../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  about: 'Для одного браузера, одной программы или только для Telegram: VPN-приложение не нужно.',
  empty: 'Прокси на сервере пока нет.',
  add: 'Добавить прокси',
  create: 'Создать прокси',
  created: 'Прокси готов',
  http: 'HTTP',
  socks5: 'SOCKS5',
  mtproto: 'MTProto',
  kind: 'Сменить вид',
  save: 'Сохранить',
  changed: 'Вид сменён, ссылка теперь новая',
  remove: 'Удалить',
  removeIt: 'Удалить: {name}',
  removeConfirm: 'Удалить «{name}»?',
  removeText: 'Всё, что через него работает, сразу отключится.',
  removed: 'Удалено',
})
