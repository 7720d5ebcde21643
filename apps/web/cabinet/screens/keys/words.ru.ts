import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Купленные ключи',
  text: 'Каждый сработает один раз, у кого угодно. Отправьте ссылку, покажите QR-код или используйте сами.',
  configs: 'VPN в одной стране',
  paid_options: 'Платная опция',
  cloud_servers: 'Свой сервер',
  for: '{product}, {length}',
  unused: 'не использован',
  used: 'использован',
  boughtOn: 'куплен {date}',
  send: 'Отправить',
  shareText: 'VPN от {name} — вам в подарок. Откройте ссылку, чтобы включить.',
  copyLink: 'Скопировать ссылку',
  showQr: 'QR-код',
  none: 'Вы ещё не покупали ключей.',
  noneText: 'Ключ — это VPN на какой-то срок в подарок: платите вы, а включает кто-то другой.',
  buy: 'Купить в подарок',
  buyMore: 'Купить ещё один подарок',
  more: 'Показать ещё',
})
