import { translated } from '../../lib/words.ts'
import type { words as en } from './words.en.ts'

export const words = translated<typeof en>()({
  vless: 'VLESS',
  vless_text: 'Подходит почти всем: быстрый, и его трудно отличить от обычного сайта.',
  'vless-2410': 'VLESS со своим сайтом',
  'vless-2410_text':
    'То же, но под прикрытием сайта самого сервера. Попробуйте, если обычный VLESS не подключается.',
  'amnezia-wg-2': 'AmneziaWG',
  'amnezia-wg-2_text': 'WireGuard с маскировкой для приложения AmneziaVPN. Быстрый и бережёт батарею.',
  hysteria2: 'Hysteria 2',
  hysteria2_text: 'Для плохой связи: держит скорость там, где теряются данные. Пропускают его не все сети.',
  trojan: 'Trojan',
  trojan_text: 'Выглядит как обычный сайт и работает в старых приложениях.',
  'trojan-2901': 'Trojan с маскировкой',
  'trojan-2901_text': 'Trojan под видом чужого сайта. Попробуйте, если обычный Trojan заблокирован.',
  'shadowsocks-2022': 'Shadowsocks 2022',
  'shadowsocks-2022_text': 'Лёгкий и быстрый: для роутеров и слабых устройств. Заметнее, чем VLESS.',
  outline: 'Outline',
  outline_text: 'Для приложения Outline: проще всего настроить, но и блокируют его чаще.',
  wg: 'WireGuard',
  wg_text: 'Самый быстрый, есть во многих роутерах. Там, где VPN блокируют, обычно не работает.',
  recommended: 'рекомендуем',
  delay: '≈ {ms} мс',
  nearest: 'ближе всего',
  delayHow:
    '«≈ мс» — за сколько приходит ответ: оценка по расстоянию от вашего часового пояса. Чем меньше, тем лучше.',
  measure: 'Измерить самому',
  measureText:
    'Введите этот адрес в команду ping или в приложение для измерения задержки. VPN перед этим выключите.',
  copyAddress: 'Скопировать адрес',
})
