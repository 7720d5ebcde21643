import Type from 'typebox'
import { table } from '../operation.ts'
import { Closed, field, Nullable, resource, Text } from '../shapes.ts'
import { DeliveryVersion, SeenVersion } from './shapes.ts'

/** Part of the operator's delivery: which apps customers are shown, and in which order. */

const Platforms = field(Type.Array(Type.Enum(['ios', 'android', 'windows', 'macos', 'linux', 'tv'])), {
  example: ['android'],
})

const AppId = field(Text(1, 32), { example: 'happ' })

const Ids = (words: { en: string; ru: string; example: string[] }) =>
  field(Type.Array(AppId, { maxItems: 200 }), words)

const AddedApp = resource('AddedApp', {
  id: field(Text(1, 32), {
    en: 'a-z, 0-9 and “-”; not one of the catalogue’s own',
    ru: 'a-z, 0-9 и «-»; не из самого каталога',
    example: 'our-vpn',
  }),
  name: field(Text(1, 40), { example: 'Our VPN' }),
  platforms: Platforms,
  stores: Type.Array(
    Closed({
      name: field(Text(1, 40), { example: 'Google Play' }),
      url: field(Text(1, 500), { example: 'https://play.google.com/store/apps/details?id=com.example.vpn' }),
      platforms: Platforms,
      region: field(Type.Optional(Type.Enum(['ru', 'abroad'])), {
        en: 'Where the listing can be seen; everywhere without it',
        ru: 'Где страница видна; без этого — везде',
      }),
      publisher: field(Type.Optional(Text(1, 80)), {
        en: 'As the store names it: counterfeits differ in nothing else',
        ru: 'Как называет магазин: подделки отличаются только этим',
      }),
    }),
    { maxItems: 12 },
  ),
  import_template: field(Nullable(Text(1, 500)), {
    en: 'A link of the app with {url}, {encodedUrl} or {base64Url}, and {name}; null when it takes servers one by one',
    ru: 'Ссылка приложения с {url}, {encodedUrl} или {base64Url} и с {name}; null, если серверы добавляют по одному',
    example: 'ourvpn://import/{encodedUrl}#{name}',
  }),
  formats: field(
    Type.Array(
      Type.Enum(['base64', 'links', 'xray', 'mihomo', 'stash', 'clash', 'sing-box', 'outline', 'conf']),
    ),
    { en: 'What it reads', ru: 'Что оно читает', example: ['base64'] },
  ),
  protocols: field(
    Type.Array(
      Type.Enum([
        'vless',
        'trojan',
        'shadowsocks',
        'outline',
        'hysteria2',
        'wireguard',
        'amneziawg',
        'http',
        'socks5',
        'mtproto',
      ]),
    ),
    {
      en: 'What it carries; others are not offered it',
      ru: 'Что оно умеет; остальным его не предлагают',
      example: ['vless', 'trojan'],
    },
  ),
  hwid: field(Type.Enum(['always', 'by_link', 'switch', 'never']), {
    en: 'Whether it names its device: always, told by the link, after the customer has switched it on, or never',
    ru: 'Называет ли устройство: всегда, если велит ссылка, если клиент это включил, никогда',
    example: 'never',
  }),
  checked_on: field(Type.String(), {
    en: 'The day when all this was last compared with the app',
    ru: 'День, когда всё это последний раз сверили с приложением',
    example: '2026-01-01',
  }),
})

const arrangement = {
  order: Ids({
    en: 'Those that come first, in this order; the others follow as they stand in the catalogue',
    ru: 'Кто идёт первым и в каком порядке; остальные следуют, как в каталоге',
    example: ['happ', 'our-vpn'],
  }),
  hidden: Ids({ en: 'Not shown to anybody', ru: 'Никому не показываются', example: ['karing'] }),
  added: field(Type.Array(AddedApp, { maxItems: 20 }), {
    en: 'Stand before the catalogue’s own until the order says otherwise',
    ru: 'Стоят перед каталогом, пока порядок не говорит иного',
  }),
}

const Arranged = resource('ArrangedApps', {
  ...arrangement,
  apps: field(
    Type.Array(
      Closed({
        id: AppId,
        name: field(Type.String(), { example: 'Happ' }),
        platforms: Platforms,
        is_added: field(Type.Boolean(), { example: false }),
        is_hidden: field(Type.Boolean(), { example: false }),
      }),
    ),
    { en: 'All there are, as customers find them', ru: 'Все, в том порядке, в каком их видят клиенты' },
  ),
  version: DeliveryVersion,
})

export const deliveryAppRows = table({
  showApps: {
    method: 'GET',
    path: '/delivery/apps',
    summary: {
      en: 'The apps that customers are shown, and what you changed about them',
      ru: 'Приложения, которые видят клиенты, и что в них изменено вами',
    },
    auth: 'operator',
    limit: 'none',
    request: {},
    response: { 200: Arranged },
    errors: [],
  },
  arrangeApps: {
    method: 'PUT',
    path: '/delivery/apps',
    summary: {
      en: 'Reorder, hide and add apps; replaces what was there, empty lists bring the catalogue back',
      ru: 'Переставить, скрыть и добавить приложения; заменяет прежнее, пустые списки возвращают каталог',
    },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: { body: Closed({ ...arrangement, version: SeenVersion }) },
    response: { 200: Arranged },
    errors: ['CONFLICT'],
    audit: { subject: 'apps' },
  },
})
