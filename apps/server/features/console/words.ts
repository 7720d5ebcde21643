import type { Role } from '@sallyport/contract/operation'
import type { Language } from '@sallyport/domain/text/language'

/** Everything that the page may say. The script chooses among these and has no words of its own. */

interface Words {
  readonly title: string
  readonly otherLanguage: string
  readonly withLink: { readonly text: string; readonly button: string }
  readonly withPasskey: {
    readonly text: string
    readonly button: string
    readonly lost: string
  }
  readonly me: {
    readonly heading: string
    readonly passkeys: string
    readonly noPasskey: string
    readonly proof: string
    readonly proved: string
    readonly notProved: string
    readonly add: string
    readonly prove: string
    readonly signOut: string
    readonly reference: string
    readonly open: string
  }
  readonly roles: Readonly<Record<Role, string>>
  readonly noScript: string
  readonly messages: Readonly<Record<Message, string>>
}

/** What can happen; `said` is followed by the service's own words. */
export type Message =
  | 'used'
  | 'ended'
  | 'insecure'
  | 'unable'
  | 'cancelled'
  | 'present'
  | 'unproved'
  | 'unknown'
  | 'often'
  | 'away'
  | 'said'
  | 'added'
  | 'confirmed'
  | 'left'

export const texts: Readonly<Record<Language, Words>> = {
  en: {
    title: 'Sign in',
    otherLanguage: 'Русский',
    withLink: {
      text: 'Your link is ready. It works once, so use it in the browser that you work in.',
      button: 'Sign in by the link',
    },
    withPasskey: {
      text: 'Operators sign in with a passkey: this device, a phone or a security key.',
      button: 'Sign in with a passkey',
      lost: 'No passkey yet, or it is lost? Ask an owner for a one-time link:',
    },
    me: {
      heading: 'You are signed in',
      passkeys: 'Passkeys',
      noPasskey: 'none yet: add one now, the link does not work again',
      proof: 'Confirmed with a passkey',
      proved: 'until {time}',
      notProved: 'not in the last five minutes',
      add: 'Add a passkey',
      prove: 'Confirm that it is you',
      signOut: 'Sign out',
      reference: 'What operators can do: the API reference',
      open: 'Open the console',
    },
    roles: { owner: 'owner', support: 'support', finance: 'finance', technician: 'technician' },
    noScript: 'Signing in needs JavaScript: switch it on for this page.',
    messages: {
      used: 'This link was used already, is older than an hour, or a newer one took its place. Ask an owner for a new one:',
      ended: 'You are not signed in any more. Sign in again.',
      insecure:
        'This page was opened without https, and browsers would not keep you signed in. Open it by https; the link has not been used.',
      unable: 'This browser has no passkeys. Open the page in another one, or update it.',
      cancelled: 'The passkey did not answer, or it was cancelled. Try again.',
      present: 'This device has a passkey of yours already.',
      unproved: 'First confirm with a passkey that it is you.',
      unknown: 'The passkey was not accepted. It may have been deleted: use another one, or ask for a link.',
      often: 'Too many attempts. Wait a minute and try again.',
      away: 'The service does not answer. Check the connection and try again.',
      said: 'It did not work.',
      added: 'The passkey is added. From now on you sign in with it.',
      confirmed: 'Confirmed for five minutes.',
      left: 'You are signed out.',
    },
  },
  ru: {
    title: 'Вход',
    otherLanguage: 'English',
    withLink: {
      text: 'Ссылка готова. Она действует один раз, поэтому откройте её в том браузере, в котором работаете.',
      button: 'Войти по ссылке',
    },
    withPasskey: {
      text: 'Операторы входят по ключу доступа: это устройство, телефон или аппаратный ключ.',
      button: 'Войти по ключу доступа',
      lost: 'Ключа ещё нет или он потерян? Попросите у владельца одноразовую ссылку:',
    },
    me: {
      heading: 'Вы вошли',
      passkeys: 'Ключи доступа',
      noPasskey: 'пока нет: добавьте сейчас, второй раз ссылка не сработает',
      proof: 'Подтверждено ключом доступа',
      proved: 'до {time}',
      notProved: 'не за последние пять минут',
      add: 'Добавить ключ доступа',
      prove: 'Подтвердить, что это вы',
      signOut: 'Выйти',
      reference: 'Что могут операторы: справочник по API',
      open: 'Открыть консоль',
    },
    roles: { owner: 'владелец', support: 'поддержка', finance: 'финансы', technician: 'техник' },
    noScript: 'Для входа нужен JavaScript: включите его для этой страницы.',
    messages: {
      used: 'Эта ссылка уже использована, старше часа или заменена новой. Попросите у владельца новую:',
      ended: 'Вход больше не действует. Войдите снова.',
      insecure:
        'Страница открыта без https, и браузер не сохранит вход. Откройте её по https; ссылка ещё не использована.',
      unable: 'В этом браузере нет ключей доступа. Обновите его или откройте страницу в другом.',
      cancelled: 'Ключ доступа не ответил, или действие отменено. Попробуйте ещё раз.',
      present: 'На этом устройстве уже есть ваш ключ доступа.',
      unproved: 'Сначала подтвердите ключом доступа, что это вы.',
      unknown: 'Ключ доступа не принят. Возможно, он удалён: возьмите другой или попросите ссылку.',
      often: 'Слишком много попыток. Подождите минуту и попробуйте снова.',
      away: 'Сервис не отвечает. Проверьте соединение и попробуйте снова.',
      said: 'Не получилось.',
      added: 'Ключ доступа добавлен. Теперь входите по нему.',
      confirmed: 'Подтверждено на пять минут.',
      left: 'Вы вышли.',
    },
  },
}
