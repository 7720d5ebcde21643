import { sayIn } from '../../lib/language.ts'
import { words } from './words.en.ts'

export const say = sayIn(words)

/** A system that is newer than this page is shown as it is called. */
export const systemName = (type: string): string => (type in words ? say(type as 'ios') : type)
