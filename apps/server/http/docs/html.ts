import { type Html, html } from '@sallyport/domain/delivery/html'

/** Words between backticks are set as code. */
export const prose = (text: string): Html => {
  const parts = text.split('`')
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
