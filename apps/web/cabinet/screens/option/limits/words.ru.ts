import { translated } from '../../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  about:
    'Чтобы ссылка, попав в чужие руки, не потратила всё. Больше, чем разрешает сервис, поставить нельзя.',
  devices: 'Устройств',
  devicesHint: 'Сколько может пользоваться. Пусто — без ограничения.',
  traffic: 'Трафик на 30 дней, ГБ',
  trafficHint: 'Например, 100. Пусто — без ограничения.',
  save: 'Сохранить ограничения',
  saved: 'Сохранено',
})
