import { Copy, Copyable } from '../../kit/copy.tsx'
import { Card } from '../../kit/look.tsx'
import { saveFile } from '../../kit/save-file.ts'
import { sayIn } from '../../lib/language.ts'
import { isInTelegram } from '../../lib/outside.ts'
import { to } from '../paths.ts'
import type { Access } from './access.ts'
import { OneTime } from './once/one-time.tsx'
import { Loaded, Opening } from './opening.tsx'
import { TelegramLink } from './telegram-link.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const File = ({ id, text }: { readonly id: number; readonly text: string }) => (
  <>
    <p class="small">{say('fileText')}</p>
    <div class="acts">
      {/* Telegram downloads nothing. */}
      {!isInTelegram() && (
        <button type="button" onClick={() => saveFile(`vpn-${id}.conf`, text)}>
          {say('file')}
        </button>
      )}
      <Copy text={text} label={say('fileCopy')} />
    </div>
  </>
)

/** How a device gets it: by the subscription, by its own link, or by a file. */
export const Connect = ({ access }: { readonly access: Access }) => {
  const { id, protocol, connection_url: link, awg_config: file } = access
  const isTelegram = protocol === 'mtproto'
  return (
    <Card title={say('connect')}>
      {isTelegram ? (
        <p>{say('telegramText')}</p>
      ) : (
        <>
          <p>{say('connectText')}</p>
          <a class="button p" href={to('/connect')}>
            {say('connectGo')}
          </a>
          <p class="small">{say('ownLink')}</p>
        </>
      )}
      {isTelegram && <TelegramLink url={link} text={say('telegramGo')} />}
      <Copyable text={link} label={say('copyLink')} />
      {file !== undefined && <File id={id} text={file} />}
      <Opening title={say('qr')}>
        {() => (
          <Loaded load={() => import('./qr/qr.tsx')} props={{ id, text: file ?? link, link, isTelegram }} />
        )}
      </Opening>
      {!isTelegram && <OneTime id={id} />}
    </Card>
  )
}
