import { isInTelegram, openOutside } from '../../lib/outside.ts'

/** Telegram's own link for a proxy. Inside Telegram only the one over https is followed. */
export const TelegramLink = ({ url, text }: { readonly url: string; readonly text: string }) => (
  <a
    class="button p"
    href={url}
    onClick={(event) => {
      if (!isInTelegram()) return
      event.preventDefault()
      openOutside(url.replace('tg://proxy', 'https://t.me/proxy'))
    }}
  >
    {text}
  </a>
)
