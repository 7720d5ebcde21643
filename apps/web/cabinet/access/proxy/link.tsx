import { Copyable } from '../../../kit/copy.tsx'
import { Facts } from '../../../kit/look.tsx'
import { sayIn } from '../../../lib/language.ts'
import { TelegramLink } from '../telegram-link.tsx'
import { proxyParts } from './parts.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface LinkProps {
  readonly proxy: { readonly protocol: string; readonly connection_url: string }
}

/** How a proxy is reached: by a press in Telegram, or by what programs ask for one by one. */
export const ProxyLink = ({ proxy: { protocol, connection_url: url } }: LinkProps) => {
  const parts = proxyParts(url)
  return (
    <>
      {protocol === 'mtproto' && <TelegramLink url={url} text={say('inTelegram')} />}
      {parts && (
        <Facts
          rows={[
            [say('host'), <code key="host">{parts.host}</code>],
            [say('port'), <code key="port">{parts.port}</code>],
            [say('user'), <code key="user">{parts.user}</code>],
            [say('password'), <code key="password">{parts.password}</code>],
          ]}
        />
      )}
      <Copyable text={url} label={say('copy')} />
    </>
  )
}
