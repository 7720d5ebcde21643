import { sayIn } from '../../../lib/language.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** Formats that are made of templates; one that is not known here yet is shown by its name alone. */

interface Kind {
  readonly title: string
  /** Apps that read it. */
  readonly apps: string
  /** How servers come into it. */
  readonly hint: string
}

const clash = say('clashHint')
const kinds: Readonly<Record<string, Kind>> = {
  xray: { title: 'Xray', apps: say('xrayApps'), hint: say('xrayHint') },
  mihomo: { title: 'mihomo', apps: say('mihomoApps'), hint: clash },
  stash: { title: 'Stash', apps: say('stashApps'), hint: clash },
  clash: { title: 'Clash', apps: say('clashApps'), hint: clash },
  'sing-box': { title: 'sing-box', apps: say('singBoxApps'), hint: say('singBoxHint') },
  'sing-box-1.11': { title: 'sing-box 1.11', apps: say('oldSingBoxApps'), hint: say('singBoxHint') },
}

export const kindOf = (name: string): Kind => kinds[name] ?? { title: name, apps: '–', hint: '' }

export const isJson = (name: string): boolean => name === 'xray' || name.startsWith('sing-box')
