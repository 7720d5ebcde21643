import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  state: 'Сервер',
  up: 'Отдача',
  on: 'работает',
  down: 'Загрузка',
  off: 'не отвечает',
  uptime: 'Без перезагрузки',
  days: '{n|день|дня|дней}',
  model: 'Процессор',
  host: 'Адрес',
  traffic: 'Скорость всего сервера, средняя за день',
  load: 'Насколько занят сервер, в среднем за день',
  cpu: 'Процессор',
  ram: 'Память',
  speed: '{value} Мбит/с',
  percent: '{value} %',
  empty: 'Пока ничего не измерено. Первый день появится завтра.',
  firstDay: 'Это первый измеренный день. Завтра появится график.',
  about: 'Это показатели всего сервера, а не только ваши.',
})
