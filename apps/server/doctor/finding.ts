/** What a check found. Whatever is not as it should be says what to do about it. */

export type Finding =
  | { readonly state: 'ok' | 'skipped'; readonly text: string }
  | { readonly state: 'warning' | 'problem'; readonly text: string; readonly advice: string }

export type State = Finding['state']

export const ok = (text: string): Finding => ({ state: 'ok', text })

/** It does not apply here, or cannot be told. */
export const skipped = (text: string): Finding => ({ state: 'skipped', text })

export const warning = (text: string, advice: string): Finding => ({ state: 'warning', text, advice })

export const problem = (text: string, advice: string): Finding => ({ state: 'problem', text, advice })

/** Everything that was found, or this one good word where nothing was. */
export const orElse = (findings: readonly Finding[], good: string): readonly Finding[] =>
  findings.length > 0 ? findings : [ok(good)]

/** `3 days`, `1 node`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** The first few, and how many more there are. */
export const some = (names: readonly string[], most = 5): string => {
  const more = names.length - most
  return names.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** In the unit that a person would use. */
export const lasting = (seconds: number): string => {
  const size = Math.abs(seconds)
  if (size < 120) return `${Math.round(seconds * 10) / 10} s`
  if (size < 7200) return `${Math.round(seconds / 60)} min`
  if (size < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

export const bytesText = (bytes: number): string => {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  const size = bytes / 1024 ** step
  return `${size < 10 && step > 0 ? size.toFixed(1) : Math.round(size)} ${units[step]}`
}
