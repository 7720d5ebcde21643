import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  what: 'Одна ссылка для приложения — и в нём все серверы этой опции. Настраивать ничего не нужно.',
  owned: 'Она у вас есть до {date} — купленное сейчас добавится к этому сроку.',
  forWhom: 'Для кого',
  self: 'Для себя',
  gift: 'В подарок',
  giftText: 'Вы получите ссылку. Кто её откроет, получит эту опцию.',
  bought: 'Готово. Осталось подключить устройство.',
  boughtKey: 'Подарок готов: отправьте ссылку.',
  gone: 'Это больше не продаётся.',
  toShop: 'В магазин',
})
