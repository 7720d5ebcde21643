import { translated } from '../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  configs: 'Конфигурации',
  clouds: 'На облачных серверах',
  option: 'Опция «{title}»',
  whole: '«{title}» целиком',
  wholeText: 'Все серверы опции, в том числе те, что появятся позже.',
  until: 'до {date}',
  away: 'Сервер сейчас не отвечает',
  inWhole: 'Входит в опцию целиком. Отметьте, чтобы поставить отдельно, например первым.',
  picked: 'Выбрано: {n} из {most}.',
  full: 'Больше {most} добавить нельзя.',
})
