import { isReadable, Qr } from '../../../kit/qr.tsx'
import { sayIn } from '../../../lib/language.ts'
import { words } from './ways/words.en.ts'

const say = sayIn(words)

export const Drawn = ({ text }: { readonly text: string }) =>
  isReadable(text) ? <Qr text={text} /> : <p class="small">{say('tooLong')}</p>
