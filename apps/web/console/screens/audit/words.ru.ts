import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Журнал',
  action: 'Что сделано',
  subject: 'С чем',
  operatorNumber: 'Номер оператора',
  when: 'Когда',
  who: 'Кто',
  details: 'Подробности',
  changed: '{n|поле|поля|полей} до и после',
  field: 'Поле',
  before: 'Было',
  after: 'Стало',
  none: 'Пока ничего не меняли.',
})
