import { sayIn } from '../../../lib/language.ts'
import { words } from './words.en.ts'

export const say = sayIn(words)
