import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  subscription: 'Ваша ссылка подписки',
  subscriptionText: 'Всё, что у вас есть, сразу. Код не устареет, если вы что-то измените.',
  own: 'Только это подключение',
  ownText: 'Для приложений без подписок. После смены настроек код нужно отсканировать заново.',
  tooDense: 'Эта ссылка слишком длинная: камера такой код не прочитает. Возьмите файл или скопируйте ссылку.',
  file: 'Скачать файл .conf',
  copy: 'Скопировать ссылку',
})
