import type { Language } from '@sallyport/domain/text/language'
import { putOffSeconds, type State } from './state.ts'

interface Said {
  readonly heading: string
  readonly text: string
}

const russian = {
  title: 'Тестовая оплата',
  sandbox: 'песочница',
  otherLanguage: 'English',
  note: 'Это песочница: деньги не списываются, карта и кошелёк не нужны. Выберите, чем должна закончиться оплата.',
  payment: 'Платёж',
  timeLeft: 'Осталось',
  pay: 'Оплатить',
  later: `Оплатить позже, через ${putOffSeconds} с`,
  decline: 'Отклонить',
  payNow: 'Оплатить сейчас',
  back: 'Вернуться на сайт',
  minutes: (count: number): string => `${count} мин`,
  seconds: (count: number): string => `${count} с`,
  states: {
    later: { heading: 'Оплата отложена', text: 'Страница обновится сама.' },
    succeeded: { heading: 'Оплачено', text: 'Сервис уже получает подтверждение. Деньги не списаны.' },
    declined: { heading: 'Оплата отклонена', text: 'Вернитесь на сайт, чтобы попробовать ещё раз.' },
    refunded: { heading: 'Возвращено', text: 'Оплата была проведена, а потом возвращена.' },
    expired: { heading: 'Время вышло', text: 'Вернитесь на сайт и оформите покупку заново.' },
  } satisfies Record<Exclude<State, 'pending'>, Said>,
  willBePaid: (seconds: number): string => `Будет оплачено примерно через ${seconds} с.`,
  unknown: { heading: 'Платёж не найден', text: 'Проверьте ссылку или оформите покупку заново.' },
}

type Texts = typeof russian

const english: Texts = {
  title: 'Test payment',
  sandbox: 'sandbox',
  otherLanguage: 'Русский',
  note: 'This is a sandbox: no money moves, and no card or wallet is needed. Choose how the payment should end.',
  payment: 'Payment',
  timeLeft: 'Time left',
  pay: 'Pay',
  later: `Pay later, in ${putOffSeconds} s`,
  decline: 'Decline',
  payNow: 'Pay now',
  back: 'Back to the site',
  minutes: (count) => `${count} min`,
  seconds: (count) => `${count} s`,
  states: {
    later: { heading: 'Payment put off', text: 'This page refreshes by itself.' },
    succeeded: { heading: 'Paid', text: 'The service is being told. No money was taken.' },
    declined: { heading: 'Payment declined', text: 'Go back to the site to try again.' },
    refunded: { heading: 'Refunded', text: 'The payment was made and then given back.' },
    expired: { heading: 'Time is up', text: 'Go back to the site and place the order again.' },
  },
  willBePaid: (seconds) => `It will be paid in about ${seconds} s.`,
  unknown: { heading: 'Payment not found', text: 'Check the link, or place the order again.' },
}

export const texts: Readonly<Record<Language, Texts>> = { ru: russian, en: english }
