import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Вход и регистрация',
  welcome: 'Введите почту — пришлём код. Если аккаунта ещё нет, он появится сразу.',
  already: 'Вы уже вошли.',
  toCabinet: 'Перейти в кабинет',
  email: 'Почта',
  emailHint: 'Пароль не нужен.',
  sendCode: 'Получить код',
  badEmail: 'Проверьте адрес: похоже, в нём опечатка.',
})
