import Type from 'typebox'
import { field, type SwitchName, type Words } from '../shapes.ts'

/** Options of a configuration, each on or off in a request. */

const option = (about: Words) => field(Type.Optional(Type.Boolean()), about)

export const switchFields = {
  use_extended_settings: option({
    en: 'A personal Xray instance; most options need it. Protocol vless or vless-2410',
    ru: 'Личный экземпляр Xray; нужен большинству опций. Протокол vless или vless-2410',
  }),
  use_warp: option({
    en: 'Go out through WARP. Needs use_extended_settings',
    ru: 'Выход через WARP. Нужен use_extended_settings',
  }),
  disable_flow_reality: option({
    en: 'No vision flow. Not with use_xhttp or use_grpc',
    ru: 'Без vision. Несовместимо с use_xhttp и use_grpc',
  }),
  disable_reality: option({
    en: 'TLS instead of REALITY. Needs use_extended_settings',
    ru: 'TLS вместо REALITY. Нужен use_extended_settings',
  }),
  change_sni: option({
    en: 'Another borrowed site. Needs use_extended_settings; not for vless-2410',
    ru: 'Другой сайт-прикрытие. Нужен use_extended_settings; не для vless-2410',
  }),
  block_local_network: option({
    en: 'No access to the local network. Needs use_extended_settings',
    ru: 'Закрыть доступ к локальной сети. Нужен use_extended_settings',
  }),
  disable_sni: option({ en: 'No SNI; not for vless-2410', ru: 'Без SNI; не для vless-2410' }),
  enable_family_filter: option({
    en: 'Family DNS. Needs use_extended_settings',
    ru: 'Семейный DNS. Нужен use_extended_settings',
  }),
  pass_all_traffic_through_vpn: option({
    en: "The country's own addresses go through the VPN too. Location 18, protocol vless, needs use_extended_settings",
    ru: 'Адреса самой страны тоже через VPN. Локация 18, протокол vless, нужен use_extended_settings',
  }),
  block_bittorrent: option({
    en: 'No BitTorrent. Needs use_extended_settings',
    ru: 'Запретить BitTorrent. Нужен use_extended_settings',
  }),
  use_xhttp: option({
    en: 'XHTTP transport. Needs use_extended_settings; not with use_grpc',
    ru: 'Транспорт XHTTP. Нужен use_extended_settings; несовместимо с use_grpc',
  }),
  use_grpc: option({
    en: 'gRPC transport. Needs use_extended_settings; not with use_xhttp',
    ru: 'Транспорт gRPC. Нужен use_extended_settings; несовместимо с use_xhttp',
  }),
} satisfies Record<SwitchName, unknown>
