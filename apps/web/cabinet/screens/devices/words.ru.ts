import { translated } from '../../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  title: 'Устройства',
  others: 'У подписок, которые вы собрали сами, списки устройств свои.',
  toSubscriptions: 'Мои подписки',
})
