import { translated } from '../../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  renewal: 'Напоминать о продлении',
  renewalHint: 'Заранее скажем, что срок заканчивается или на балансе не хватает денег.',
  from: 'Присылать с',
  until: 'До',
  hoursHint: 'В остальное время мы молчим. Можно и за полночь, например с 22:00 до 6:00.',
  zone: 'Часовой пояс: {zone}.',
  takeZone: 'На этом устройстве — {zone}. Взять его',
  takenZone: 'Сохраните, чтобы применить.',
  save: 'Сохранить',
  saved: 'Сохранено',
})
