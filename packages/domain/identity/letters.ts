import { minutesText } from '../text/counted.ts'
import type { Language } from '../text/language.ts'

/** Letters to customers, in their language. */

export interface LetterText {
  readonly subject: string
  readonly text: string
}

const paragraphs = (...texts: readonly string[]): string => `${texts.join('\n\n')}\n`

export interface LetterCodes {
  /** Undefined when so many letters were asked for that they could be guessed. */
  readonly digits: string | undefined
  /** In groups. */
  readonly long: string
  readonly minutes: number
}

const russianCode = ({ digits, long, minutes }: LetterCodes): readonly string[] =>
  digits === undefined
    ? [
        `Ваш код: ${long}`,
        `Введите его там, где вы указали этот адрес. Код действует ${minutesText(minutes, 'ru')} и подходит один раз. Он длиннее обычного, потому что на этот адрес запросили слишком много писем; подойдёт и код из более раннего письма.`,
      ]
    : [
        `Ваш код: ${digits}`,
        `Введите его там, где вы указали этот адрес. Код действует ${minutesText(minutes, 'ru')} и подходит один раз; если запросить там же новый, эти цифры перестанут действовать.`,
        `Если вы вводите код на другом устройстве или вас просят подождать, введите вместо него этот длинный: ${long}`,
      ]

const englishCode = ({ digits, long, minutes }: LetterCodes): readonly string[] =>
  digits === undefined
    ? [
        `Your code: ${long}`,
        `Enter it where you gave this address. It lasts ${minutesText(minutes, 'en')} and works once. It is longer than usual because too many letters to this address were asked for; a code like it from an earlier letter works as well.`,
      ]
    : [
        `Your code: ${digits}`,
        `Enter it where you gave this address. It lasts ${minutesText(minutes, 'en')} and works once; asking for a new one there ends these digits.`,
        `If you type it in on another device, or are told to wait, use this longer code instead: ${long}`,
      ]

/** Nothing else in it looks like the digits: programs find them, too. */
export const codeLetter = (language: Language, codes: LetterCodes): LetterText =>
  language === 'ru'
    ? {
        subject: 'Код для входа в Sallyport',
        text: paragraphs(
          ...russianCode(codes),
          'Никому его не сообщайте. Если вы не запрашивали код, просто не обращайте внимания на это письмо: без кода никто не войдёт.',
        ),
      }
    : {
        subject: 'Your Sallyport sign-in code',
        text: paragraphs(
          ...englishCode(codes),
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
