import { translated } from '../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  grip: 'Переместить «{name}»: перетащите или нажимайте стрелки вверх и вниз',
  up: 'Поднять «{name}»',
  down: 'Опустить «{name}»',
  remove: 'Убрать «{name}»',
  movedTo: '{name}: место {n} из {all}',
  removed: '{name}: убрано',
})
