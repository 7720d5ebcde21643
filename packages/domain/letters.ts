import type { Language } from './language.ts'

/** Letters to customers, in their language. */

export interface LetterText {
  readonly subject: string
  readonly text: string
}

const paragraphs = (...texts: readonly string[]): string => `${texts.join('\n\n')}\n`

/** Nothing else in it looks like a code: programs find it, too. */
export const codeLetter = (language: Language, code: string, minutes: number): LetterText =>
  language === 'ru'
    ? {
        subject: 'Код для входа в Sallyport',
        text: paragraphs(
          `Ваш код: ${code}`,
          `Введите его там, где вы указали этот адрес. Код действует ${minutes} минут и подходит один раз; если запросить новый, этот перестанет действовать.`,
          'Никому его не сообщайте. Если вы не запрашивали код, просто не обращайте внимания на это письмо: без кода никто не войдёт.',
        ),
      }
    : {
        subject: 'Your Sallyport sign-in code',
        text: paragraphs(
          `Your code: ${code}`,
          `Enter it where you gave this address. It lasts ${minutes} minutes and works once; asking for a new one ends this one.`,
          'Tell it to nobody. If you did not ask for a code, simply ignore this letter: without the code nobody gets in.',
        ),
      }

/** To the address that an account had until now. */
export const emailChangedLetter = (language: Language): LetterText =>
  language === 'ru'
    ? {
        subject: 'Адрес вашего аккаунта Sallyport изменён',
        text: paragraphs(
          'В вашем аккаунте Sallyport указан другой адрес почты. Войти по коду на этот адрес больше нельзя.',
          'Если адрес изменили не вы, войдите в аккаунт другим способом, завершите все сеансы и напишите в поддержку.',
        ),
      }
    : {
        subject: 'The address of your Sallyport account was changed',
        text: paragraphs(
          'Your Sallyport account now has another e-mail address. A code to this one no longer opens it.',
          'If it was not you who changed it, sign in another way, end all sessions and write to support.',
        ),
      }
