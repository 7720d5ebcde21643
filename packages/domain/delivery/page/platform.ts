import type { Platform } from '../apps/app.ts'

/** First match wins: televisions call themselves Android or Linux too, and an iPhone is "like Mac OS X". */
const signs: readonly [Platform, RegExp][] = [
  [
    'tv',
    /\b(smart-?tv|google ?tv|android ?tv|tvos|hbbtv|netcast|web0s|webos|bravia|crkey|aft[a-z]{1,3})\b|apple ?tv|tizen.*\btv\b/i,
  ],
  ['ios', /iphone|ipad|ipod/i],
  ['android', /android/i],
  ['windows', /windows/i],
  ['macos', /macintosh|mac os x/i],
  ['linux', /linux|x11|cros/i],
]

/** Far more than any browser says, and little enough to look at. */
const longestUserAgent = 1024

/** What the visitor's browser runs on; undefined when it does not tell. An iPad calls itself a Mac: the script corrects it. */
export const platformOf = (userAgent: string | undefined): Platform | undefined => {
  const text = (userAgent ?? '').slice(0, longestUserAgent)
  return signs.find(([, pattern]) => pattern.test(text))?.[0]
}
