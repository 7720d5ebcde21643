import { Copy } from '../../../kit/copy.tsx'
import { FoldedPart, later } from '../../../kit/later.tsx'
import { Card, Facts } from '../../../kit/look.tsx'
import { sayIn } from '../../../lib/language.ts'
import { page } from '../../../lib/page.ts'
import { words } from './words.en.ts'

const say = sayIn(words)
const Qr = later(() => import('../../../kit/qr.tsx').then((part) => part.Qr))

interface InviteProps {
  readonly code: string
  readonly invited: number
}

/** The home page keeps the code until somebody signs in. */
const linkOf = (code: string): string => `${page.origin || location.origin}/?ref=${encodeURIComponent(code)}`

export const Invite = ({ code, invited }: InviteProps) => {
  const link = linkOf(code)
  const canShare = 'share' in navigator
  const share = () => {
    // Refused where the person closes the sheet.
    navigator.share({ text: say('shareText', { name: page.name }), url: link }).catch(() => undefined)
  }
  return (
    <Card title={say('invite')}>
      <p>
        <code>{link}</code>
      </p>
      <div class="acts">
        {canShare && (
          <button type="button" class="p" onClick={share}>
            {say('share')}
          </button>
        )}
        <Copy text={link} label={say('copyLink')} {...(!canShare && { kind: 'p' })} />
      </div>
      <FoldedPart title={say('qr')}>{() => <Qr text={link} />}</FoldedPart>
      <Facts rows={[[say('code'), <b key="code">{code}</b>]]} />
      <p class="small">{say('codeHint')}</p>
      <p>{invited > 0 ? say('invited', { n: invited }) : say('nobody')}</p>
    </Card>
  )
}
