import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Подарки',
  text: 'Каждый сработает один раз, у кого угодно. Отправьте ссылку, покажите QR-код или используйте сами.',
  configs: 'VPN в одной стране',
  paid_options: 'Пакет серверов',
  cloud_servers: 'Свой сервер',
  for: '{product}, {length}',
  unused: 'не использован',
  used: 'использован',
  boughtOn: 'куплен {date}',
  send: 'Отправить',
  shareText: 'VPN от {name} — вам в подарок. Откройте ссылку, чтобы включить.',
  copyLink: 'Скопировать ссылку',
  useIt: 'Использовать самому',
  code: 'Код активации',
  haveCode: 'Вам дали код?',
  enter: 'Ввести код активации',
  showQr: 'QR-код',
  none: 'Вы ещё не покупали подарков.',
  noneText:
    'Подарок — это VPN на выбранный срок: платите вы, а включает его кто-то другой по ссылке или коду.',
  buy: 'Купить в подарок',
  buyMore: 'Купить ещё один подарок',
  more: 'Показать ещё',
})
