import { sayIn } from '../../../lib/language.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export default function Payment() {
  return <h1>{say('title')}</h1>
}
