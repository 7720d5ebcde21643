import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Магазин',
  choose: 'Выбрать',
  chooseOf: 'Выбрать: {title}',
  config: 'VPN в одной стране',
  configText: 'Одно подключение в стране, которую вы выберете. Потом его можно перенести в другую.',
  cloud: 'Свой сервер',
  cloudText: 'Целый сервер только для вас, со своим адресом: подключений сколько угодно.',
  haveCode: 'У меня есть код активации',
  haveCodeText: 'Код уже оплачен: введите его, и платить не придётся.',
  goOn: 'Дальше',
  gift: 'Подарить VPN',
  giftText: 'Вы платите и получаете ссылку с кодом. Отправьте её: кто откроет, получит VPN бесплатно.',
  buyGift: 'Купить в подарок',
  keys: 'Мои подарки',
})
