import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Магазин',
  choose: 'Выбрать',
  chooseOf: 'Выбрать: {title}',
  config: 'VPN в одной стране',
  configText: 'Одно подключение в стране, которую вы выберете. Потом его можно перенести в другую.',
  cloud: 'Свой сервер',
  cloudText: 'Целый облачный сервер только для вас, со своим адресом: подключений сколько угодно.',
  haveCode: 'У меня есть код',
  haveCodeText: 'От друга, из магазина или купленный раньше.',
  goOn: 'Дальше',
  gift: 'Подарить',
  giftText: 'Вы получите ссылку. Кто её откроет, получит VPN без оплаты и настроек.',
  buyGift: 'Купить в подарок',
  keys: 'Купленные ключи',
})
