import type { AppProtocol, Platform } from '../../apps/app.ts'
import type { DeviceRefusal } from '../../device.ts'
import type { OfflineChoice } from '../../offline.ts'
import type { PageStatus } from '../state.ts'

interface Said {
  readonly heading: string
  readonly text: string
}

export const russian = {
  otherLanguage: 'English',
  subscription: 'Подписка',
  status: {
    active: 'Работает',
    expired: 'Закончилась',
    limited: 'Трафик закончился',
    disabled: 'Отключено',
    empty: 'Пусто',
  } satisfies Record<PageStatus, string>,
  left: (time: string): string => `Осталось ${time}`,
  until: (date: string): string => `до ${date}`,
  endedOn: (date: string): string => `Срок истёк ${date}`,
  paused: { quota: 'Трафик закончился', operator: 'Отключено сервисом' },
  traffic: 'Трафик',
  trafficLeft: (left: string, limit: string): string => `Осталось ${left} из ${limit}`,
  trafficUnlimited: (used: string): string => `Без ограничений, использовано ${used}`,
  trafficUsed: (used: string): string => `Всего использовано ${used}`,
  refills: (date: string): string => `Обновится ${date}`,
  devices: (count: string): string => `До ${count}`,
  ofSubscription: 'Устройства',
  closed: 'Новые устройства запрещены. Разрешить их можно в личном кабинете.',
  connect: 'Подключиться',
  connectHint: 'Установите приложение, вернитесь сюда и нажмите «Добавить».',
  platforms: {
    ios: 'iPhone и iPad',
    android: 'Android',
    windows: 'Windows',
    macos: 'Mac',
    linux: 'Linux',
    tv: 'Телевизор',
  } satisfies Record<Platform, string>,
  tvHint:
    'Установите приложение на телевизор, выберите в нём добавление подписки и введите адрес, который стоит ниже, или передайте его с телефона, если приложение это умеет.',
  install: 'Установить',
  add: 'Добавить',
  addTo: (app: string): string => `Добавить подписку в ${app}`,
  inRegion: { ru: 'Россия', abroad: 'другие страны' },
  publisher: (name: string): string => `Издатель: ${name}`,
  leavesOut: (protocols: string): string => `Может не открыть: ${protocols}`,
  switchHwid: 'В настройках приложения включите отправку HWID.',
  oneByOne: 'Серверы добавляются по одному, файлом или кодом.',
  chooseEntry: 'Выбрать сервер',
  moreApps: (count: number): string => `Другие приложения (${count})`,
  otherDevice: 'На другое устройство',
  otherDeviceHint: 'Отсканируйте код в приложении или вставьте туда адрес подписки.',
  qrOfSubscription: 'QR-код с адресом подписки',
  address: 'Адрес подписки',
  secret: 'Кто знает этот адрес, может пользоваться вашей подпиской. Никому его не показывайте.',
  copy: 'Скопировать',
  copied: 'Скопировано',
  entries: 'Серверы',
  noEntries: 'Здесь появится список, когда будет что показать.',
  hiddenEntries:
    'Число устройств ограничено, поэтому серверы видны только в приложении. Добавьте туда подписку, и оно займёт одно место.',
  hiddenSome:
    'Серверы, для которых ограничено число устройств, видны только в приложении: оно займёт одно место.',
  moreEntries: (count: number): string => `Ещё ${count}`,
  online: 'на связи',
  offline: 'не отвечает',
  protocols: {
    vless: 'VLESS',
    trojan: 'Trojan',
    shadowsocks: 'Shadowsocks',
    outline: 'Outline',
    hysteria2: 'Hysteria 2',
    wireguard: 'WireGuard',
    amneziawg: 'AmneziaWG',
    http: 'HTTP-прокси',
    socks5: 'SOCKS5',
    mtproto: 'Telegram (MTProto)',
  } satisfies Record<AppProtocol, string>,
  troubles: 'Если не работает',
  troubleList: [
    'Обновите подписку в приложении: список серверов мог измениться.',
    'Выберите другой сервер, лучше с другим протоколом.',
    'Выключите другие VPN и проверьте, что на устройстве верное время.',
    'Кнопка «Добавить» ничего не открывает? Откройте эту страницу в обычном браузере или скопируйте адрес и вставьте его в приложение.',
    'Скачивайте приложения только по ссылкам отсюда: поддельных много.',
  ],
  offlineTip: {
    now: {
      mark: 'Серверы, которые не отвечают, приложение покажет со знаком ⚠.',
      hide: 'Серверы, которые не отвечают, приложение не покажет.',
      keep: 'Серверы, которые не отвечают, приложение покажет как все.',
    } satisfies Record<OfflineChoice, string>,
    instead: { mark: 'Отмечать знаком ⚠', hide: 'Скрывать', keep: 'Показывать как все' },
    how: 'Можно выбрать иначе и добавить подписку заново: выбор стоит в конце её адреса, например ?offline=hide.',
  },
  support: 'Написать в поддержку',
  cabinet: 'Личный кабинет',
  renew: 'Продлить в кабинете',
  buy: 'Выбрать тариф в кабинете',
  raise: 'Открыть кабинет',
  manageDevices: 'Устройства в кабинете',
  notices: {
    expired: {
      heading: 'Подписка закончилась',
      text: 'Продлите её, и серверы снова заработают в тех же приложениях: добавлять ничего не придётся.',
    },
    limited: {
      heading: 'Трафик закончился',
      text: 'Серверы включатся сами, когда трафик обновится. Больше трафика сразу — в личном кабинете.',
    },
    disabled: {
      heading: 'Отключено сервисом',
      text: 'Сервис приостановил доступ. Причину и что делать дальше подскажет поддержка.',
    },
    empty: {
      heading: 'Здесь пока ничего нет',
      text: 'Выберите тариф в личном кабинете, и серверы появятся по этой же ссылке.',
    },
  } satisfies Record<Exclude<PageStatus, 'active'>, Said>,
  limitedToEnd: {
    heading: 'Трафик закончился',
    text: 'До конца срока он не обновится. Больше трафика — в личном кабинете.',
  },
  refusals: {
    limit: {
      heading: 'Слишком много устройств',
      text: 'Все места заняты. Удалите лишнее устройство или увеличьте лимит, и обновите подписку в приложении.',
    },
    blocked: {
      heading: 'Устройство заблокировано',
      text: 'Разблокируйте его в личном кабинете и обновите подписку в приложении.',
    },
    unknown: {
      heading: 'Новые устройства запрещены',
      text: 'Разрешите их в личном кабинете и обновите подписку в приложении.',
    },
    no_hwid: {
      heading: 'Нужно приложение',
      text: 'Число устройств этой подписки ограничено, поэтому серверы видны только в приложении. Добавьте туда подписку.',
    },
  } satisfies Record<DeviceRefusal, Said>,
  notFound: {
    heading: 'Ссылка не работает',
    text: 'Её сменили или в ней ошибка. Новая ждёт в личном кабинете, в разделе «Подписка».',
  },
  lost: {
    heading: 'Такой страницы нет',
    text: 'Проверьте адрес: возможно, в нём опечатка или скопировалась не вся ссылка.',
    button: 'На главную',
  },
  back: 'Ко всем серверам',
  openIn: (app: string): string => `Открыть в ${app}`,
  scan: 'Код для приложения',
  scanHint: (apps: string): string => `Подойдёт: ${apps}.`,
  qrOfEntry: (title: string): string => `QR-код сервера ${title}`,
  tooLong: 'Для кода это слишком длинно: камера телефона его не прочтёт. Возьмите файл или ссылку.',
  file: 'Скачать файл',
  fileHint: 'В приложении выберите импорт из файла.',
  asText: 'Скачать ссылку файлом',
  link: 'Ссылка',
  linkHint: 'Скопируйте и вставьте в приложение.',
  entryOffline: 'Сервер сейчас не отвечает. Настроить можно, а подключаться лучше к другому.',
  openTitle: (app: string): string => `Подписка для ${app}`,
  openHint: (app: string): string => `Нажмите кнопку, и подписка откроется в ${app}.`,
  openButton: (app: string): string => `Добавить в ${app}`,
  openMissing: (app: string): string => `${app} ещё не установлен?`,
  openBadKey: 'В этой ссылке нет ключа подписки. Откройте её ещё раз из личного кабинета или бота.',
  openNoScript:
    'Кнопку собирает скрипт на этой странице: ключ подписки стоит после знака # и на сервер не уходит. Включите JavaScript или скопируйте адрес подписки в личном кабинете и вставьте его в приложение.',
}

export type Texts = typeof russian
