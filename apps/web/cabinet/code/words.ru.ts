import { translated } from '../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  sent: 'Отправили письмо с кодом на {to}. Оно приходит в течение минуты; загляните и в «Спам».',
  label: 'Код из письма',
  hint: 'Шесть цифр. Длинный код из письма тоже подойдёт.',
  submit: 'Войти',
  againIn: 'Письма нет? Ещё одно можно запросить через {n|секунду|секунды|секунд}.',
  again: 'Отправить письмо ещё раз',
  sentAgain: 'Отправили ещё одно письмо. Подойдёт код из последнего.',
  another: 'Другой адрес',
})
