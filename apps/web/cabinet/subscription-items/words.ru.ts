import { translated } from '../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  configs: 'Подключения',
  clouds: 'На своих серверах',
  option: 'Пакет серверов «{title}»',
  whole: '«{title}» целиком',
  wholeText: 'все серверы пакета, в том числе будущие',
  until: 'до\u00a0{date}',
  away: 'Сервер не отвечает',
  inWhole: 'Входит в пакет целиком. Отметьте, чтобы поставить отдельно, например первым.',
  picked: 'Выбрано: {n} из {most}.',
  full: 'Больше {most} добавить нельзя.',
})
