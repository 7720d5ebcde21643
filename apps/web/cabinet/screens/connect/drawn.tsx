import { encode } from 'uqr'
import { mostModules, Qr } from '../../../kit/qr.tsx'
import { sayIn } from '../../../lib/language.ts'
import { words } from './ways/words.en.ts'

const say = sayIn(words)

const fits = (text: string): boolean => {
  try {
    return encode(text).size <= mostModules
  } catch {
    return false
  }
}

export const Drawn = ({ text }: { readonly text: string }) =>
  fits(text) ? <Qr text={text} /> : <p class="small">{say('tooLong')}</p>
