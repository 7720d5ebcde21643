import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Продление',
  config: 'Подключение',
  cloud: 'Свой сервер',
  endsOn: 'до {date}',
  endedOn: 'срок истёк {date}',
  isAdded: 'Купленные дни добавятся к оставшимся. Ссылки и настройки не изменятся.',
  isOver: 'Заработает снова сразу после продления. Ссылки и настройки не изменятся.',
  renewed: 'Продлено до {date}',
  gone: 'Здесь больше нечего продлевать.',
  goneWhy: 'То, что закончилось, хранится недолго и потом удаляется.',
  toShop: 'В магазин',
})
