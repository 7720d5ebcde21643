import listed from '../../bin/local-commands.json' with { type: 'json' }

/** What works without a service to ask: the program is another one, its name and what it does are known here too. */

export type LocalCommand = keyof typeof listed

export const localCommands = Object.keys(listed) as LocalCommand[]

/** First words that no operation has. */
export const ownWords: readonly string[] = [...localCommands, 'login', 'logout', 'completion', 'help']

export const linesFor = (place: 'service' | 'node'): [string, string][] =>
  localCommands.filter((name) => listed[name].place === place).map((name) => [name, listed[name].about])
