import type { Format } from '../format.ts'

/** How apps give themselves away, in order: the first that fits decides. Everything is compared without regard to case. */

export interface ChoiceRule {
  readonly format: Format | 'page'
  readonly header: 'accept' | 'user-agent'
  readonly pattern: RegExp
  /** Only for subscriptions that have Xray's JSON switched on. */
  readonly needsTemplate?: true
}

/** Each name from the start of the text, not only the first of them. */
const startsWith = (...names: readonly string[]): RegExp => new RegExp(`^(?:${names.join('|')})`, 'i')

export const choiceRules: readonly ChoiceRule[] = [
  // What Java's own HTTP client accepts begins the same way, and is no browser.
  {
    format: 'page',
    header: 'accept',
    pattern: /^(?!text\/html, image\/gif, image\/jpeg, \*; q=).*text\/html/i,
  },
  // Hiddify calls itself "like ClashMeta v2ray sing-box"; what it reads best are links.
  { format: 'base64', header: 'user-agent', pattern: startsWith('hiddify') },
  {
    format: 'mihomo',
    header: 'user-agent',
    pattern: startsWith(
      'flclash',
      'flowvy',
      'mihomo',
      'clash-?verge',
      'clash-nyanpasu',
      'clash-party',
      // Clash Meta for Android is ClashMetaForAndroid, others write clash.meta or clash-meta.
      'clash[ .-]?meta',
      'clashx[ .-]?meta',
      'clash ?mi\\b',
      'koala-clash',
      'prizrak-box',
    ),
  },
  { format: 'stash', header: 'user-agent', pattern: startsWith('stash') },
  // Three letters stand in many words, so these are whole ones.
  { format: 'sing-box', header: 'user-agent', pattern: /\bsf[aimt]\b|karing|sing-?box/i },
  { format: 'clash', header: 'user-agent', pattern: startsWith('clash') },
  { format: 'outline', header: 'user-agent', pattern: /outline/i },
  { format: 'conf', header: 'user-agent', pattern: /amnezia|wireguard/i },
  {
    format: 'xray',
    header: 'user-agent',
    pattern: startsWith('happ\\b', 'v2rayng\\b', 'v2rayn\\b', 'streisand\\b', 'v2box\\b', 'incy\\b'),
    needsTemplate: true,
  },
]
