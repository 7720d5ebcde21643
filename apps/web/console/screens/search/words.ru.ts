import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Поиск: {text}',
  nothing: 'Ничего с таким именем нет.',
  hint: 'Номера, Telegram, платежи, ключи, промокоды и устройства ищутся целиком; от почты достаточно начала.',
  customer: 'Клиенты',
  order: 'Заказы и платежи',
  server: 'Серверы',
  node: 'Узлы',
  what: 'Имя',
  about: 'О нём',
  numbered: 'Клиент {id}',
  aboutCustomer: '№ {id} · с {since} · баланс {balance}',
  orderNumber: 'Заказ {id}',
  aboutOrder: 'Клиент {user} · {sum} · {at}',
  serverNumber: 'Сервер {id}',
  slots: 'занято {used} из {capacity}',
  online: 'на связи',
  away: 'не на связи',
})
