import { Copy } from '../../../kit/copy.tsx'
import { isReadable, Qr } from '../../../kit/qr.tsx'
import { saveFile } from '../../../kit/save-file.ts'
import { Shown } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { isInTelegram } from '../../../lib/outside.ts'
import { page } from '../../../lib/page.ts'
import { useResource } from '../../../lib/resource.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const Subscription = () => {
  const profile = useResource('profile', () => api.getProfile(), { keep: true })
  return (
    <Shown of={profile}>
      {({ subscription_key: key }) =>
        key !== null && (
          <>
            <h3>{say('subscription')}</h3>
            <p class="small">{say('subscriptionText')}</p>
            <Qr text={`${page.origin || location.origin}/sub/${key}`} />
          </>
        )
      }
    </Shown>
  )
}

interface CodesProps {
  readonly id: number
  /** What apps read from the code: of WireGuard the file. */
  readonly text: string
  readonly link: string
  readonly isTelegram: boolean
}

/** The subscription's first: it stays good when the link changes. */
export default function Codes({ id, text, link, isTelegram }: CodesProps) {
  return (
    <>
      {!isTelegram && <Subscription />}
      <h3>{say('own')}</h3>
      {isReadable(text) ? (
        <>
          {!isTelegram && <p class="small">{say('ownText')}</p>}
          <Qr text={text} />
        </>
      ) : (
        <>
          <p>{say('tooDense')}</p>
          <div class="acts">
            {text !== link && !isInTelegram() && (
              <button type="button" onClick={() => saveFile(`vpn-${id}.conf`, text)}>
                {say('file')}
              </button>
            )}
            <Copy text={link} label={say('copy')} />
          </div>
        </>
      )}
    </>
  )
}
