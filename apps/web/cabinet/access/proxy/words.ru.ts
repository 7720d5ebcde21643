import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  about:
    'Для одного браузера, одной программы или только для Telegram: VPN-приложение не нужно. Выход — с того же сервера.',
  kind: 'Для чего',
  socks5: 'SOCKS5',
  socks5_text: 'Для программ и браузеров: его понимают почти все.',
  http: 'HTTP',
  http_text: 'Для браузеров и системных настроек, где нет SOCKS5.',
  mtproto: 'MTProto',
  mtproto_text: 'Только для Telegram: включается одним нажатием.',
  notHere: 'В этой стране недоступен.',
  domain: 'Сайт-прикрытие',
  domainHint: 'Например, www.example.com. Если оставить пустым, выберем сами.',
  create: 'Создать прокси',
  created: 'Прокси готов',
  behind: 'Выглядит как {site}.',
  inTelegram: 'Включить в Telegram',
  host: 'Сервер',
  port: 'Порт',
  user: 'Логин',
  password: 'Пароль',
  copy: 'Скопировать ссылку',
  changeIt: 'Сменить вид',
  save: 'Сохранить',
  changed: 'Вид сменён, ссылка теперь новая',
  remove: 'Удалить прокси',
  removeConfirm: 'Удалить прокси?',
  removeText: 'Всё, что через него работает, сразу отключится. Новый можно создать в любой момент.',
  removed: 'Прокси удалён',
})
