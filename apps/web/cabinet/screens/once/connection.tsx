import { Copy, Copyable } from '../../../kit/copy.tsx'
import { Fold } from '../../../kit/fold.tsx'
import { Card } from '../../../kit/look.tsx'
import { isReadable, Qr } from '../../../kit/qr.tsx'
import { saveFile } from '../../../kit/save-file.ts'
import type { api } from '../../../lib/api.ts'
import { date } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { isInTelegram } from '../../../lib/outside.ts'
import { TelegramLink } from '../../access/telegram-link.tsx'
import { protocolName } from '../../owned/protocol-names.ts'
import { Out } from '../connect/out.tsx'
import { words } from './words.en.ts'

/** The connection that was handed on, step by step into an app. */

const say = sayIn(words)

type Connection = Awaited<ReturnType<typeof api.openOneTimeLink>>
type App = Connection['apps'][number]

/** What WireGuard's apps are told to call it. */
const fileName = 'vpn.conf'

const Stores = ({ app }: { readonly app: App }) => (
  <div class="acts">
    {app.stores.map(({ url, title, region }) => (
      <Out key={url} href={url}>
        {region === null ? title : `${title}, ${say(`region_${region}`)}`}
      </Out>
    ))}
  </div>
)

const Install = ({ connection: { apps, protocol } }: { readonly connection: Connection }) => {
  const [first, ...others] = apps
  if (!first)
    return (
      <li>
        <h2>{say('installAny')}</h2>
        <p>{say('installAnyText', { protocol: protocolName(protocol) })}</p>
      </li>
    )
  return (
    <li>
      <h2>{say('install', { app: first.title })}</h2>
      <Stores app={first} />
      {first.publisher !== null && <p class="small">{say('publisher', { name: first.publisher })}</p>}
      {others.length > 0 && (
        <Fold title={say('otherApps')}>
          {others.map((app) => (
            <div key={app.id}>
              <h3>{app.title}</h3>
              <Stores app={app} />
            </div>
          ))}
        </Fold>
      )}
    </li>
  )
}

/** An app that answers to links of this kind, where the page may lead to it. */
const openerOf = ({ apps, connection_url: url }: Connection): App | undefined =>
  isInTelegram()
    ? undefined
    : apps.find(({ opens_scheme: scheme }) => scheme !== null && url.startsWith(`${scheme}:`))

const File = ({ text }: { readonly text: string }) => (
  <>
    <p>{say('addFile')}</p>
    <div class="acts">
      {/* Telegram downloads nothing. */}
      {!isInTelegram() && (
        <button type="button" class="p" onClick={() => saveFile(fileName, text)}>
          {say('file')}
        </button>
      )}
      <Copy text={text} label={say('copyFile')} />
    </div>
  </>
)

const Add = ({ connection }: { readonly connection: Connection }) => {
  const { connection_url: link, awg_config: file } = connection
  const opener = openerOf(connection)
  return (
    <li>
      <h2>{say('add')}</h2>
      {opener && (
        <a class="button p" href={link}>
          {say('addTo', { app: opener.title })}
        </a>
      )}
      {file === undefined ? <p>{say('addLink')}</p> : <File text={file} />}
      <Copyable text={link} label={say('copyLink')} />
      <p class="small">{say('secret')}</p>
    </li>
  )
}

const Codes = ({ connection: { connection_url, awg_config } }: { readonly connection: Connection }) => {
  const text = awg_config ?? connection_url
  return (
    <Card title={say('scan')}>
      {isReadable(text) ? (
        <>
          <p class="small">{say('scanText')}</p>
          <Qr text={text} />
        </>
      ) : (
        <p class="small">{say('tooDense')}</p>
      )}
    </Card>
  )
}

export const Shared = ({ connection }: { readonly connection: Connection }) => {
  const { title, expires_at, protocol, connection_url: link } = connection
  return (
    <>
      <h1>{say('shownTitle', { name: title })}</h1>
      <p class="notice" role="status">
        {say('keepOpen')}
      </p>
      <p class="small">{say('until', { date: date(expires_at) })}</p>
      {protocol === 'mtproto' ? (
        <Card>
          <p>{say('telegram')}</p>
          <TelegramLink url={link} text={say('telegramGo')} />
        </Card>
      ) : (
        <ol class="steps">
          <Install connection={connection} />
          <Add connection={connection} />
          <li>
            <h2>{say('switchOn')}</h2>
            <p>{say('switchOnText')}</p>
          </li>
        </ol>
      )}
      <Codes connection={connection} />
    </>
  )
}
