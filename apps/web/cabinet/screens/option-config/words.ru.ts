import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Конфигурация',
  back: '← Ко всей опции',
  missing: 'Такой конфигурации в этой опции нет.',
  notNow: 'Опция сейчас не работает, и это тоже. Причина — на странице опции.',
  follows:
    'Входит в опцию, за настройками следит сервис. Чтобы выбрать протокол и настройки, добавьте к опции свою.',
})
