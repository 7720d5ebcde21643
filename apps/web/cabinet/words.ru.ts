import { translated } from '../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  home: 'Главная',
  shop: 'Магазин',
  balance: 'Баланс',
  friends: 'Друзья',
  settings: 'Настройки',
  sections: 'Разделы',
  skip: 'К содержанию',
  notifications: 'Уведомления',
  offline: 'Нет интернета. Показываем то, что было при прошлом посещении.',
  lost: 'Такой страницы нет.',
  toHome: 'На главную',
  broken: 'Страница не загрузилась: связь прервалась. Ничего не потеряно.',
  again: 'Загрузить ещё раз',
  otherLanguage: 'English',
})
