import {
  type Auth,
  anonymousLimit,
  globalLimit,
  type Limit,
  usualBodyLimitBytes,
} from '@sallyport/contract/operation'
import type { Audience } from '@sallyport/contract/tables'
import { counted, type Forms } from '@sallyport/domain/text/counted'
import type { Language } from '@sallyport/domain/text/language'

/** The words of the API reference around what the tables say. Words between backticks are set as code. */

const requestForms: Readonly<Record<Language, Forms>> = {
  ru: { one: 'запрос', few: 'запроса', other: 'запросов' },
  en: { one: 'request', other: 'requests' },
}
const requests = (count: number, language: Language): string =>
  counted(count, language, requestForms[language])

const russian = {
  title: 'Sallyport API',
  lead: 'HTTP API VPN-сервиса: покупка и продление конфигураций, настройки, аккаунт. HTTPS и JSON.',
  otherLanguage: 'English',
  contents: 'Содержание',
  guide: 'Основы',
  operations: 'Все операции',
  filter: 'Найти операцию',
  nothingFound: 'Ничего не нашлось',
  openapi: 'Документы OpenAPI 3.1:',
  audiences: {
    customer: 'для клиентов',
    operator: 'для оператора',
    agent: 'для агентов узлов',
  } satisfies Record<Audience, string>,
  copy: 'Копировать',
  copied: 'Скопировано',

  start: 'Первая покупка',
  startLead:
    'Укажите адрес и ключи один раз, дальше все примеры можно вставлять в терминал как есть. Ключи демонстрационного запуска лежат в `data/credentials.json`: откройте терминал в папке сервиса. Токены `SESSION` и `OPERATOR` нужны только там, где это сказано.',
  startCatalogue: 'Посмотрите локации, способы оплаты и цены — из них берутся номера для покупки:',
  startBuy:
    'Купите конфигурацию с баланса. `Idempotency-Key` позволяет безопасно повторить запрос при обрыве:',
  startAnswer:
    'Ответ — готовая конфигурация. `connection_url` вставляется в VPN-приложение (Happ, v2rayNG, Hiddify и другие):',
  startFurnishing:
    'В примерах всё названо номерами, которые даёт новая демонстрация. Эти команды заводят в ней остальное, о чём говорят примеры: прокси, опцию, облачный сервер и собранную подписку. В своём аккаунте подставьте номера из своих ответов.',

  auth: 'Авторизация',
  authText: [
    'Каждый запрос несёт заголовок `Authorization: Bearer <ключ>`. API-ключ выглядит так: `slp_`, 8 знаков открытой части, `_`, 24 знака секрета. Секрет хранится только в виде хеша и показывается один раз; на аккаунт — не больше пяти ключей.',
    'Токен сессии (JWT, живёт 15 минут) может всё то же, что ключ, и ещё операции с пометкой «только сессия»: с API-ключом они отвечают `FORBIDDEN`.',
    'Сессию даёт любой способ входа из раздела «Вход», проще всего код на почту: `POST /auth/email/start`, затем `POST /auth/email/verify`. Вместе с ней приходит `refresh_token` (30 дней): `POST /auth/refresh` меняет его на новую пару. Каждый годится один раз; если ответ потерялся, повторите тот же запрос в течение 30 секунд.',
  ],
  envelope: 'Формат ответа',
  envelopeText: [
    'Любой ответ, и успешный, и нет, лежит в одном конверте. При успехе полезное — в `data`.',
    'При ошибке `errorCode` и `message` постоянны, на них можно опираться. `details` — для людей: что не так и где.',
    'Время — секунды Unix. Суммы — в единицах, в которых валюта продаётся (рубли для RUB). Неизвестные поля в теле запроса отклоняются с указанием имени.',
  ],
  success: 'Успех',
  failure: 'Ошибка',
  limits: 'Лимиты',
  limitsText: [
    `Запросы считаются на аккаунт, сколько бы ключей у него ни было. Операции с общим лимитом делят ${requests(globalLimit.points, 'ru')} за ${globalLimit.seconds} с, у остальных лимит собственный — он указан у операции. Без верного ключа — ${requests(anonymousLimit.points, 'ru')} за ${anonymousLimit.seconds} с на IP-адрес. Отклонённый запрос тоже считается.`,
    'Сверх лимита — `429` и заголовок `Retry-After`: через сколько секунд повторить.',
  ],
  limitHeaders: [
    ['X-RateLimit-Limit', 'сколько запросов вмещает лимит'],
    ['X-RateLimit-Remaining', 'сколько осталось'],
    ['X-RateLimit-Reset', 'когда лимит обновится, секунды Unix'],
  ],
  idempotency: 'Безопасный повтор',
  idempotencyText: [
    'Операции, которые тратят или создают, принимают необязательный заголовок `Idempotency-Key` — любую строку до 255 знаков. Тот же ключ с тем же запросом в течение 24 часов возвращает первый ответ и ничего не делает второй раз (в ответе будет `Idempotency-Replayed: true`). Тот же ключ с другим запросом — `CONFLICT`.',
    'Храните ключ, в том числе при перезагрузке страницы, пока не придёт ответ. Ответа нет, `429` или любой `5xx`: повторите тот же запрос с тем же ключом, дважды ничего не спишется. `503` с `Idempotency-Key` в `details` значит, что первый запрос ещё выполняется; когда спросить, сказано в `Retry-After`. Любой другой `4xx`: ничего не сделано, и ключ свободен; только для `409` с `Idempotency-Key` в `details` нужен новый. В ответе со ссылкой `link` есть `payment_id`: что с платежом, скажет `GET /profile/payments/:id`.',
    `Тело запроса — не больше ${usualBodyLimitBytes / 1024} КиБ, если у операции не сказано иное.`,
  ],
  errors: 'Каталог ошибок',
  errorsText:
    'Отмеченные ● может вернуть любая операция, остальные названы у операций. Чужой и несуществующий объект неотличимы.',
  number: 'Код',
  message: 'message',
  when: 'Когда',

  forCustomers: 'Для клиентов',
  forOperators: 'Для тех, кто держит сервис',
  operatorsLead:
    'Каталог, узлы, клиенты, деньги и сотрудники: всё, что делает оператор, можно сделать через API.',
  operatorsGuide: [
    {
      title: 'Роли',
      text: [
        'Программы приходят с токеном: `Authorization: Bearer slo_…`, люди — с сессией. Кому что можно, сказано у каждой операции: `owner` — владелец, `support` — поддержка, `finance` — деньги, `technician` — машины и ничего больше. Токен можно выдать только для названных операций.',
      ],
    },
    {
      title: 'Вход для людей',
      text: [
        'Владелец даёт одноразовую ссылку: что стоит в ней после `#`, передают в `POST /auth/link`. После этого добавьте ключ доступа: дальше входят с ним. Сессия живёт в cookie `__Host-sallyport-console`, заканчивается через 30 минут без запросов и не позже чем через 12 часов. Всё, кроме GET, требует ещё заголовка `X-Sallyport-Console: 1`.',
        'То, что отдаёт деньги или права, требует подтверждения ключом доступа за последние пять минут (`/auth/passkeys/proof`), иначе `403 REAUTHENTICATION_REQUIRED`. Вход по ключу и добавление ключа — тоже подтверждение; от токенов его не требуют.',
      ],
    },
    {
      title: 'Одно не теряется из-за другого',
      text: [
        'У строк, которые можно менять, есть `version`. Передайте её вместе с изменением: если строку успел изменить кто-то другой, ответом будет `409`, а в `data` — строка как есть. Без `version` изменение принимается всегда.',
        'Создающие запросы принимают `Idempotency-Key`. Удалить то, от чего зависят клиенты, нельзя: `409` скажет, скольких это касается.',
      ],
    },
    {
      title: 'Списки и таблицы',
      text: [
        'Списки отдают `limit` строк (от 1 до 500, обычно 50), сначала новые; дальше — с `before` последней строки или с `cursor`. Незнакомые параметры отклоняются.',
        'Операции с пометкой CSV на `Accept: text/csv` отвечают таблицей: все строки по этому отбору, сколько бы их ни было.',
      ],
    },
    {
      title: 'Журнал',
      text: [
        'Каждое изменение оставляет одну запись: кто, какой операцией, что было и что стало, и почему, если причина названа. Секретов, почты и заметок о клиентах в журнале нет.',
      ],
    },
  ],
  query: 'Параметры запроса',
  path: 'Параметры пути',
  body: 'Тело запроса',
  options: 'Опции конфигурации',
  response: 'Ответ: data',
  oneOf: 'один из вариантов',
  request: 'Запрос',
  answer: 'Ответ',
  required: 'обязательно',
  optional: 'необязательно',
  characters: 'знаков',
  items: 'элементов',
  operationErrors: 'Ошибки',
  commonToo: 'и общие для всех операций',
  commonOnly: 'только общие для всех операций',
  fieldCount: (count: number): string => `полей: ${count}`,
  idempotent: 'Idempotency-Key',
  sharedLimit: 'общий лимит',
  noLimit: 'без лимита',
  limit: ({ points, seconds }: Limit): string => `${points} за ${seconds} с`,
  bodyLimit: (bytes: number): string => `тело до ${bytes / 1024} КиБ`,
  callers: {
    customer: 'API-ключ или сессия',
    session: 'только сессия',
    operator: 'токен или сессия оператора',
    agent: 'ключ узла',
    visitor: 'без авторизации; с API-ключом нельзя',
    public: 'без авторизации',
  } satisfies Record<Auth, string>,
  roles: (names: readonly string[]): string => `роль ${names.join(' или ')}`,
}

export type Texts = typeof russian

const english: Texts = {
  title: 'Sallyport API',
  lead: 'The HTTP API of a VPN service: buy and renew configurations, change settings, manage the account. HTTPS and JSON.',
  otherLanguage: 'Русский',
  contents: 'Contents',
  guide: 'Basics',
  operations: 'All operations',
  filter: 'Find an operation',
  nothingFound: 'Nothing found',
  openapi: 'OpenAPI 3.1 documents:',
  audiences: { customer: 'for customers', operator: 'for the operator', agent: 'for node agents' },
  copy: 'Copy',
  copied: 'Copied',

  start: 'Your first purchase',
  startLead:
    'Set the address and the keys once; after that every example can be pasted into a terminal as it is. The demo keeps its keys in `data/credentials.json`: open the terminal in the folder of the service. The tokens `SESSION` and `OPERATOR` are needed only where it says so.',
  startCatalogue: 'Look at locations, payment methods and prices: the ids for the purchase come from there.',
  startBuy:
    'Buy a configuration from the balance. `Idempotency-Key` makes it safe to repeat after a lost connection:',
  startAnswer:
    'The answer is a ready configuration. Paste `connection_url` into a VPN app (Happ, v2rayNG, Hiddify and others):',
  startFurnishing:
    'Examples call things by the numbers that a new demo gives them. These commands make the rest of what examples speak of: a proxy, an option, a cloud server and a custom subscription. In an account of your own use the numbers of your own answers.',

  auth: 'Authentication',
  authText: [
    'Every request carries the header `Authorization: Bearer <key>`. An API key is `slp_`, 8 characters of public prefix, `_` and 24 characters of secret. Only a hash of the secret is kept and it is shown once; an account has at most five keys.',
    'A session token (a JWT that lives 15 minutes) may do all a key may, and also the operations marked “session only”: with an API key these answer `FORBIDDEN`.',
    'Any way to sign in under “Signing in” gives a session; a mailed code is the simplest: `POST /auth/email/start`, then `POST /auth/email/verify`. A `refresh_token` (30 days) comes with it: `POST /auth/refresh` changes it for a new pair. Each works once; if the answer was lost, repeat the same request within 30 seconds.',
  ],
  envelope: 'Shape of an answer',
  envelopeText: [
    'Every answer, good or bad, comes in one envelope. On success the payload is in `data`.',
    'On failure `errorCode` and `message` are stable and can be relied on. `details` is for people: what is wrong, and where.',
    'Times are Unix seconds. Amounts are in the unit the currency is sold in (roubles for RUB). Unknown fields in a request body are refused by name.',
  ],
  success: 'Success',
  failure: 'Failure',
  limits: 'Limits',
  limitsText: [
    `Requests are counted per account, however many keys it has. Operations with the shared limit have ${requests(globalLimit.points, 'en')} per ${globalLimit.seconds} s together; the others have a limit of their own, shown with the operation. Without a valid key it is ${requests(anonymousLimit.points, 'en')} per ${anonymousLimit.seconds} s per IP address. A refused request counts too.`,
    'Over the limit the answer is `429` with the header `Retry-After`: how many seconds to wait.',
  ],
  limitHeaders: [
    ['X-RateLimit-Limit', 'how many requests the limit allows'],
    ['X-RateLimit-Remaining', 'how many are left'],
    ['X-RateLimit-Reset', 'when it starts afresh, Unix seconds'],
  ],
  idempotency: 'Safe repeats',
  idempotencyText: [
    'Operations that spend or create take an optional header `Idempotency-Key`, any string up to 255 characters. The same key with the same request within 24 hours returns the first answer and does nothing twice (the answer has `Idempotency-Replayed: true`). The same key with another request is a `CONFLICT`.',
    'Keep the key, over a reload too, until an answer came. No answer, `429` or any `5xx`: repeat the same request with the same key, nothing is paid twice. `503` with `Idempotency-Key` in `details` means that the first request is still worked on; `Retry-After` says when to ask. Any other `4xx`: nothing was done and the key is free, but for `409` with `Idempotency-Key` in `details`, which needs a new one. An answer with `link` names its `payment_id`; how it stands is told by `GET /profile/payments/:id`.',
    `A request body holds at most ${usualBodyLimitBytes / 1024} KiB unless the operation says otherwise.`,
  ],
  errors: 'Error catalogue',
  errorsText:
    'Any operation may answer those marked ●; the others are named with their operations. A missing object and somebody else’s look the same.',
  number: 'Code',
  message: 'message',
  when: 'When',

  forCustomers: 'For customers',
  forOperators: 'For those who run the service',
  operatorsLead:
    'The catalogue, nodes, customers, money and staff: whatever an operator does can be done by API.',
  operatorsGuide: [
    {
      title: 'Roles',
      text: [
        'Programs come with a token, `Authorization: Bearer slo_…`, people with a session. Each operation says who may call it: `owner`, `support`, `finance`, or `technician`, who looks after machines and nothing else. A token can be made for named operations only.',
      ],
    },
    {
      title: 'How people sign in',
      text: [
        'An owner gives a one-time link: send what stands after `#` in it to `POST /auth/link`. Then register a passkey, and sign in with it from then on. The session is the cookie `__Host-sallyport-console`; it ends after 30 minutes without a request, and after 12 hours at the latest. Whatever is no GET needs the header `X-Sallyport-Console: 1` too.',
        'What gives money or power away needs a passkey proof of the last five minutes (`/auth/passkeys/proof`), else it is `403 REAUTHENTICATION_REQUIRED`. Signing in with a passkey and registering one are proofs too; tokens need none.',
      ],
    },
    {
      title: 'No change is lost to another',
      text: [
        'Rows that can be changed have a `version`. Send it with your change: when somebody else was quicker, the answer is `409` with the row as it is in `data`. Without a `version` a change is always taken.',
        'Creating requests take an `Idempotency-Key`. What customers depend on cannot be deleted: `409` says how many they are.',
      ],
    },
    {
      title: 'Lists and tables',
      text: [
        'Lists give `limit` rows (1 to 500, usually 50), newest first; go on with `before` the last row, or with its `cursor`. Parameters that are not known are refused.',
        'Operations marked CSV answer `Accept: text/csv` with a table: all rows of the filter, however many.',
      ],
    },
    {
      title: 'The log',
      text: [
        'Every change leaves one entry: who, by which operation, what was before and after, and why, when a reason was given. No secret, e-mail or note about a customer is in it.',
      ],
    },
  ],
  query: 'Query parameters',
  path: 'Path parameters',
  body: 'Request body',
  options: 'Configuration options',
  response: 'Response: data',
  oneOf: 'one of these',
  request: 'Request',
  answer: 'Answer',
  required: 'required',
  optional: 'optional',
  characters: 'characters',
  items: 'items',
  operationErrors: 'Errors',
  commonToo: 'and those common to all operations',
  commonOnly: 'only those common to all operations',
  fieldCount: (count) => `${count} ${count === 1 ? 'field' : 'fields'}`,
  idempotent: 'Idempotency-Key',
  sharedLimit: 'shared limit',
  noLimit: 'no limit',
  limit: ({ points, seconds }) => `${points} per ${seconds} s`,
  bodyLimit: (bytes) => `body up to ${bytes / 1024} KiB`,
  callers: {
    customer: 'API key or session',
    session: 'session only',
    operator: 'operator’s token or session',
    agent: 'node key',
    visitor: 'no credential; not with an API key',
    public: 'no credential',
  },
  roles: (names) => `role ${names.join(' or ')}`,
}

export const texts: Readonly<Record<Language, Texts>> = { ru: russian, en: english }
