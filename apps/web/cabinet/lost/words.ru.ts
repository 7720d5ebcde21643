import { translated } from '../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  lost: 'Ответ на вашу последнюю покупку потерялся по дороге. Дважды не спишется: проверьте, что с ней.',
  check: 'Проверить покупку',
  found: 'Покупка дошла до нас.',
  notFound: 'Покупка до нас не дошла, деньги не списаны. Можно купить ещё раз.',
  openPayment: 'Открыть платёж',
  fine: 'Понятно',
})
