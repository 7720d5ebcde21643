import { translated } from '../../lib/words.ts'
import type { words as en } from './switch-words.en.ts'

export const words = translated<typeof en>()({
  use_extended_settings: 'Расширенные настройки',
  use_extended_settings_text:
    'На сервере запускается отдельная программа только для вас. Нужна большинству настроек ниже.',
  use_xhttp: 'Транспорт XHTTP',
  use_xhttp_text: 'Соединение похоже на загрузку сайта. Попробуйте, если обычное рвётся.',
  use_grpc: 'Транспорт gRPC',
  use_grpc_text: 'Другой способ передачи: помогает в некоторых сетях. Поддерживают не все приложения.',
  use_warp: 'Выход через WARP',
  use_warp_text: 'Сайты видят адрес Cloudflare, а не нашего сервера. Помогает, когда сайт не пускает.',
  enable_family_filter: 'Семейный фильтр',
  enable_family_filter_text: 'Сайты для взрослых и опасные сайты не открываются.',
  block_bittorrent: 'Без торрентов',
  block_bittorrent_text: 'Торренты через это подключение не работают.',
  block_local_network: 'Закрыть локальную сеть',
  block_local_network_text: 'Через VPN нельзя попасть во внутреннюю сеть сервера.',
  change_sni: 'Другой сайт-прикрытие',
  change_sni_text: 'Соединение выглядит как другой сайт. Попробуйте, если обычный у вас заблокирован.',
  disable_sni: 'Без имени сайта',
  disable_sni_text: 'Соединение не называет никакого сайта. Помогает там, где имена проверяют.',
  disable_reality: 'Обычный TLS',
  disable_reality_text:
    'С сертификатом сервера и без маскировки: для приложений, которые не поддерживают REALITY.',
  disable_flow_reality: 'Без Vision',
  disable_flow_reality_text: 'Для старых приложений, которые не поддерживают Vision. Чуть медленнее.',
  pass_all_traffic_through_vpn: 'Весь трафик через VPN',
  pass_all_traffic_through_vpn_text:
    'Сайты этой страны тоже идут через VPN; обычно они открываются напрямую.',
  notProtocol: 'Не работает с выбранным протоколом.',
  notLocation: 'В выбранной стране не нужно: там весь трафик и так идёт через VPN.',
  added: 'Включили и «{names}»: без этого «{name}» не работает.',
  dropped: 'Выключили: {names}. Вместе с «{name}» не работает.',
  droppedWithout: 'Выключили: {names}. Без «{name}» не работает.',
  droppedHere: 'Выключили: {names}. На новом месте это не работает',
})
