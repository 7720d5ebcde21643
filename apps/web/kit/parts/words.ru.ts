import { translated } from '../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  close: 'Закрыть',
  cancel: 'Отмена',
  copy: 'Скопировать',
  copied: 'Скопировано',
  share: 'Поделиться',
  more: 'Ещё',
  table: 'Таблицей',
  qr: 'QR-код',
  scan: 'Наведите на него камеру другого устройства.',
  required: 'Заполните это поле.',
  noMoney: 'На балансе не хватает денег.',
  badCode: 'Код не подошёл: он уже использован, истёк или не для этого товара.',
  noServer: 'Здесь сейчас нет свободных мест. Выберите другую страну или сервер.',
  noMethod: 'Этот способ оплаты сейчас не работает. Выберите другой.',
})
