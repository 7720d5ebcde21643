/** What leads out of the cabinet: other sites, apps, payments. Inside Telegram it is Telegram that opens them. */

/** `left`: the customer is on the provider's page, and nobody can say how it ended. */
export type PaymentEnd = 'paid' | 'pending' | 'cancelled' | 'failed' | 'left'

export interface Outside {
  open(url: string): void
  pay(url: string): Promise<PaymentEnd>
}

let outside: Outside | undefined

/** Links of apps do nothing there: lead to `/open/<app>#<key>`. Passkeys and downloads do not work either. */
export const isInTelegram = (): boolean => outside !== undefined

export const enterTelegram = (telegram: Outside): void => {
  outside = telegram
}

/** Another site, or a page of ours for the outside browser. To be called while a press is handled, or browsers refuse. */
export const openOutside = (url: string): void => {
  const address = new URL(url, location.href).href
  if (outside) outside.open(address)
  else window.open(address, '_blank', 'noopener')
}

/** The link that a purchase answered with. Outside Telegram the page is left for the provider's. */
export const openPayment = async (url: string): Promise<PaymentEnd> => {
  if (outside) return outside.pay(url)
  location.assign(url)
  return 'left'
}
