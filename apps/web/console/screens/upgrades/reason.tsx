import { sayIn } from '../../../lib/language.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const known: Readonly<Record<string, () => string>> = {
  'is offline': () => say('offline'),
  'runs it already': () => say('runsAlready'),
  'needs the line of the installer by hand, once': () => say('needsHand'),
  'is not heard of any more': () => say('notHeard'),
  'has not applied its state': () => say('notUpToDate'),
}

/** The ones met most in the language of the page; undefined of others, which agents and installers say. */
const translate = (text: string): string | undefined => {
  const [, ill, wave, most] = /^(\d+) of wave (\d+) ill, and (\d+) may be$/.exec(text) ?? []
  if (ill && wave && most) return say('tooManyIll', { n: Number(ill), wave, most })
  return known[text]?.()
}

export const Reason = ({ text }: { readonly text: string }) => {
  const translated = translate(text)
  return <span lang={translated === undefined ? 'en' : undefined}>{translated ?? text}</span>
}
