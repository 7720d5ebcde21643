import { translated } from '../../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  subscription: 'Все серверы одной ссылкой',
  subscriptionText: 'Отсканируйте в приложении на другом устройстве или скопируйте и вставьте туда.',
  copy: 'Скопировать ссылку',
  secret: 'У кого есть эта ссылка, тот пользуется вашими серверами. Никому её не показывайте.',
  keys: 'Отдельные серверы',
  keysText: 'Для роутеров и приложений без подписок: AmneziaWG, WireGuard, Outline и других.',
  noKeys: 'Серверов здесь пока нет.',
  toShop: 'Выбрать тариф',
  copyKey: 'Скопировать ключ',
  copyFile: 'Скопировать текст файла',
  file: 'Скачать файл',
  fileText: 'В приложении выберите импорт из файла.',
  tooLong: 'Это слишком длинно для QR-кода: камера его не прочтёт. Возьмите файл или ссылку.',
})
