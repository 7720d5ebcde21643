import type { Words } from './shapes.ts'

/** The one catalogue of errors: number, HTTP status and the stable message of each. */
export const errors = {
  NOT_FOUND: {
    code: 1,
    status: 404,
    when: {
      en: 'The object does not exist or belongs to somebody else.',
      ru: 'Объекта нет или он принадлежит кому-то другому.',
    },
  },
  UNAUTHORIZED: {
    code: 2,
    status: 401,
    when: {
      en: 'The credential is missing, wrong, revoked or expired.',
      ru: 'Ключ или токен не передан, неверен, отозван или истёк.',
    },
  },
  BAD_REQUEST: {
    code: 3,
    status: 400,
    when: {
      en: 'The request breaks a rule; details name the field or the rule.',
      ru: 'Запрос нарушает правило; в details названо поле или правило.',
    },
  },
  FORBIDDEN: {
    code: 4,
    status: 403,
    when: {
      en: 'The credential is valid but may not call this, for example an API key where a session is needed.',
      ru: 'Ключ верный, но этого ему нельзя: например, API-ключ там, где нужна сессия.',
    },
  },
  TOO_MANY_REQUESTS: {
    code: 5,
    status: 429,
    message: 'Too Many Requests',
    when: {
      en: 'A rate limit is exceeded; Retry-After says when to try again.',
      ru: 'Превышен лимит запросов; когда повторить — в Retry-After.',
    },
  },
  CONFLICT: {
    code: 6,
    status: 409,
    when: {
      en: 'The request collides with the present state.',
      ru: 'Запрос противоречит текущему состоянию.',
    },
  },
  PAYLOAD_TOO_LARGE: {
    code: 7,
    status: 413,
    when: {
      en: 'The body is larger than the operation accepts.',
      ru: 'Тело больше, чем принимает операция.',
    },
  },
  UNSUPPORTED_MEDIA_TYPE: {
    code: 8,
    status: 415,
    when: { en: 'The body is not application/json.', ru: 'Тело не в формате application/json.' },
  },
  API_KEY_LIMIT: {
    code: 9,
    status: 409,
    when: {
      en: 'The account already has 5 API keys; revoke one first.',
      ru: 'У аккаунта уже 5 API-ключей; сначала отзовите один.',
    },
  },
  TRANSFER_KEY_INVALID: {
    code: 10,
    status: 400,
    when: {
      en: 'The transfer key is unknown, used or too old; make a new one on the other account.',
      ru: 'Ключ переноса неизвестен, использован или устарел; создайте новый в другом аккаунте.',
    },
  },
  METHOD_NOT_ALLOWED: {
    code: 11,
    status: 405,
    when: {
      en: 'The address exists and takes other methods; Allow names them.',
      ru: 'Адрес есть, но принимает другие методы: они названы в Allow.',
    },
  },
  REQUEST_TIMEOUT: {
    code: 12,
    status: 408,
    when: { en: 'The request did not arrive whole in time.', ru: 'Запрос не пришёл целиком вовремя.' },
  },
  REAUTHENTICATION_REQUIRED: {
    code: 13,
    status: 403,
    when: {
      en: 'What gives money or power away needs a passkey proof of the last five minutes.',
      ru: 'То, что отдаёт деньги или права, требует подтверждения ключом доступа за последние пять минут.',
    },
  },
  INSUFFICIENT_BALANCE: {
    code: 20,
    status: 402,
    when: { en: 'The balance is smaller than the price.', ru: 'На балансе меньше, чем стоит покупка.' },
  },
  PROMOCODE_INVALID: {
    code: 21,
    status: 400,
    when: {
      en: 'The promocode is unknown, used, expired or for another product.',
      ru: 'Промокод неизвестен, использован, истёк или от другого продукта.',
    },
  },
  NO_SERVER_AVAILABLE: {
    code: 22,
    status: 409,
    when: {
      en: 'No online server in that location has a free slot for that protocol and those options.',
      ru: 'В этой локации нет работающего сервера со свободным местом под такой протокол и опции.',
    },
  },
  PAYMENT_METHOD_UNAVAILABLE: {
    code: 23,
    status: 400,
    when: {
      en: 'The payment method is unknown, switched off or has no price for this tariff.',
      ru: 'Способ оплаты неизвестен, выключен или не имеет цены для этого тарифа.',
    },
  },
  DEVICE_NOT_FOUND: {
    code: 40,
    status: 404,
    when: {
      en: 'The device does not exist or belongs to somebody else.',
      ru: 'Устройства нет или оно принадлежит кому-то другому.',
    },
  },
  INVALID_TOPUP_AMOUNT: {
    code: 46,
    status: 400,
    when: { en: 'The amount is outside 1-15000 roubles.', ru: 'Сумма не в пределах 1–15000 рублей.' },
  },
  INSUFFICIENT_REFERRAL_BALANCE: {
    code: 47,
    status: 400,
    when: {
      en: 'The referral balance is smaller than the amount.',
      ru: 'На реферальном балансе меньше, чем сумма.',
    },
  },
  INTERNAL: {
    code: 50,
    status: 500,
    when: {
      en: 'Our fault; the attempt is logged. Try again, or write to support.',
      ru: 'Ошибка на нашей стороне, она записана. Повторите или напишите в поддержку.',
    },
  },
  UNAVAILABLE: {
    code: 53,
    status: 503,
    when: {
      en: 'Temporarily unable to answer; try again shortly.',
      ru: 'Временно не можем ответить; повторите чуть позже.',
    },
  },
} as const satisfies Record<string, { code: number; status: number; message?: string; when: Words }>

export type ErrorName = keyof typeof errors

/** Errors any operation may answer, whatever its row declares. */
export const commonErrors: readonly ErrorName[] = [
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'TOO_MANY_REQUESTS',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INTERNAL',
  'UNAVAILABLE',
]

/** One thing that is wrong with a request: where, and what to do about it. */
export interface Problem {
  readonly path: string
  readonly problem: string
}

export const messageOf = (name: ErrorName): string => {
  const error = errors[name]
  return 'message' in error ? error.message : name
}

/** Thrown by rules and handlers; the pipeline turns it into the failure envelope. */
export class ApiError extends Error {
  readonly code: ErrorName
  readonly details: readonly Problem[] | undefined
  readonly retryAfterSeconds: number | undefined
  /** How many the limit allows that was hit. */
  readonly limit: number | undefined
  /** What the request collided with, as it is now. */
  readonly data: unknown

  constructor(
    code: ErrorName,
    details?: readonly Problem[],
    retryAfterSeconds?: number,
    limit?: number,
    data?: unknown,
  ) {
    super(messageOf(code))
    this.name = 'ApiError'
    this.code = code
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
    this.limit = limit
    this.data = data
  }
}

export const badRequest = (path: string, problem: string): ApiError =>
  new ApiError('BAD_REQUEST', [{ path, problem }])

const seconds = (count: number): string => `${count} ${count === 1 ? 'second' : 'seconds'}`

/** How long to wait, in words too: not everybody sees headers. */
export const tooManyRequests = (waitSeconds: number, limit?: number): ApiError => {
  const problem = `too many requests: wait ${seconds(waitSeconds)} and try again`
  return new ApiError('TOO_MANY_REQUESTS', [{ path: '', problem }], waitSeconds, limit)
}

/** For a person who is signed in; whoever has no passkey yet proves it by registering one. */
export const reauthenticationRequired = (): ApiError => {
  const problem =
    'prove anew with a passkey that it is you (/auth/passkeys/proof), or register your first one'
  return new ApiError('REAUTHENTICATION_REQUIRED', [{ path: '', problem }])
}

export const conflict = (path: string, problem: string): ApiError =>
  new ApiError('CONFLICT', [{ path, problem }])

/** Somebody else was quicker: they are shown the row, or all rows of one thing, as it is now, and decide anew. */
export const changedMeanwhile = (row: { readonly version: number }, shown: unknown = row): ApiError => {
  const problem = `has changed meanwhile and is at version ${row.version} now; look at it and send that version`
  return new ApiError('CONFLICT', [{ path: 'version', problem }], undefined, undefined, shown)
}
