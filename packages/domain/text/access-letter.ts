import type { Language } from './language.ts'

/** What an operator is told at once about their own account, so that nobody comes in their name unnoticed. */

export type AccessNews =
  | { readonly kind: 'token'; readonly title: string }
  | { readonly kind: 'link' }
  | { readonly kind: 'passkey'; readonly title: string }
  | { readonly kind: 'email' }

export interface AccessLetter {
  readonly news: AccessNews
  /** Who did it; null when it was done in the operator's own name. */
  readonly by: string | null
  readonly url: string
}

const subjects = {
  token: { ru: 'создан токен вашей учётной записи', en: 'a token of your account was made' },
  link: { ru: 'создана ссылка для входа за вас', en: 'a link to sign in as you was made' },
  passkey: { ru: 'добавлен ключ доступа', en: 'a passkey was added' },
  email: { ru: 'ваш адрес почты изменён', en: 'your e-mail address was changed' },
} as const

const factOf = (news: AccessNews): Readonly<Record<Language, string>> => {
  switch (news.kind) {
    case 'token':
      return {
        ru: `Для вашей учётной записи оператора создан токен «${news.title}».`,
        en: `A token called “${news.title}” was made for your operator's account.`,
      }
    case 'link':
      return {
        ru: 'Создана одноразовая ссылка для входа под вашей учётной записью оператора. Она действует час.',
        en: "A one-time link to sign in with your operator's account was made. It works for an hour.",
      }
    case 'passkey':
      return {
        ru: `К вашей учётной записи оператора добавлен ключ доступа «${news.title}».`,
        en: `A passkey called “${news.title}” was added to your operator's account.`,
      }
    case 'email':
      return {
        ru: 'У вашей учётной записи оператора теперь другой адрес почты: на этот письма больше не придут.',
        en: "Your operator's account has another e-mail address now: nothing more will come to this one.",
      }
  }
}

const part = ({ news, by, url }: AccessLetter, language: Language): string =>
  language === 'ru'
    ? [
        factOf(news).ru,
        `Кто это сделал: ${by ?? 'вы сами, под вашей учётной записью'}.`,
        'Если вы этого не ждали, сразу скажите другому владельцу: выключив вашу учётную запись, он закончит все входы в неё.',
        `Ваши ключи доступа: ${url}`,
      ].join('\n')
    : [
        factOf(news).en,
        `Who did it: ${by ?? 'you, with your own account'}.`,
        'If you did not expect it, tell another owner at once: switching your account off ends every way into it.',
        `Your passkeys: ${url}`,
      ].join('\n')

/** In both languages, as every letter to operators. */
export const accessLetter = (letter: AccessLetter): { readonly subject: string; readonly text: string } => {
  const { ru, en } = subjects[letter.news.kind]
  return {
    subject: `Sallyport: ${ru} (${en})`,
    text: `${part(letter, 'ru')}\n\n— — —\n\n${part(letter, 'en')}\n`,
  }
}
