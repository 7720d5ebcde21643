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
  required: 'Это нужно заполнить.',
})
