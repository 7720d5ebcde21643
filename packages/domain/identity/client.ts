/** What a program that signs in calls itself, in a few words that its owner knows again: "Chrome, Android". */

type Names = readonly (readonly [pattern: RegExp, name: string])[]

/** Many call themselves by the names of others too, so the particular come first. */
const programs: Names = [
  [/Telegram/i, 'Telegram'],
  [/YaBrowser\//, 'Yandex Browser'],
  [/\bOPR\/|OPiOS\/|OPT\//, 'Opera'],
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/MiuiBrowser\//, 'Mi Browser'],
  [/Vivaldi\//, 'Vivaldi'],
  [/DuckDuckGo\/|Ddg\//, 'DuckDuckGo'],
  [/UCBrowser\//, 'UC Browser'],
  [/HuaweiBrowser\//, 'Huawei Browser'],
  [/FxiOS\/|Firefox\//, 'Firefox'],
  [/CriOS\/|Chrome\/|Chromium\//, 'Chrome'],
  [/Version\/.*Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const systems: Names = [
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b|\biPod\b/, 'iPhone'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/Macintosh|Mac OS X/, 'macOS'],
  [/Tizen|Web0S|SmartTV|SMART-TV/, 'TV'],
  [/Linux|X11/, 'Linux'],
]

const nameIn = (names: Names, userAgent: string): string | undefined =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1]

/** Nobody has to read what is longer to know a browser. */
const longest = 1024

/** Null when it says nothing that one would know. */
export const clientOf = (userAgent: string | undefined): string | null => {
  const said = (userAgent ?? '').slice(0, longest)
  const known = [nameIn(programs, said), nameIn(systems, said)].filter((name) => name !== undefined)
  return known.length === 0 ? null : known.join(', ')
}
