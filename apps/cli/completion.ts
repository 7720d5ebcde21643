import { commands, commandsUnder } from './commands.ts'
import { flagsOf } from './flags.ts'
import { commonFlags } from './input.ts'
import { ownWords } from './local.ts'
import { UsageError } from './usage-error.ts'

/** What a shell offers next, made once: pressing Tab starts no program. */

const flagWords = Object.keys(commonFlags).map((name) => `--${name}`)

/** By what was typed so far. */
export const offers = (): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, readonly string[]>()
  const beginnings = commands.flatMap(({ words }) => words.map((_, n) => words.slice(0, n)))
  for (const typed of beginnings) {
    const next = commandsUnder(typed).flatMap(({ words }) => words[typed.length] ?? [])
    found.set(typed.join(' '), [...new Set([...next, ...(typed.length === 0 ? ownWords : [])])].toSorted())
  }
  for (const command of commands) {
    const key = command.words.join(' ')
    const flags = flagsOf(command).map(({ name }) => `--${name}`)
    found.set(key, [...(found.get(key) ?? []), ...flags, ...flagWords])
  }
  found.set('completion', ['bash', 'zsh', 'fish'])
  found.set('login', ['--url', '--token', '--help'])
  return found
}

const bash = (): string => {
  const cases = [...offers()].map(([typed, words]) => `    '${typed}') offered='${words.join(' ')}' ;;`)
  return `_sallyport() {
  local word typed='' offered='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in -* | [0-9]*) continue ;; esac
    case " $_sallyport_words " in *" $word "*) typed="\${typed:+$typed }$word" ;; esac
  done
  case $typed in
${cases.join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$offered" -- "\${COMP_WORDS[COMP_CWORD]}")
}
_sallyport_words='${[...new Set(commands.flatMap(({ words }) => words)), ...ownWords].join(' ')}'
complete -F _sallyport sallyport`
}

const fish = (): string => {
  const lines = [...offers()].map(
    ([typed, words]) =>
      `complete -c sallyport -f -n '__sallyport_at "${typed}"' -a '${words.filter((word) => !word.startsWith('--')).join(' ')}'`,
  )
  const flags = [...offers()].flatMap(([typed, words]) =>
    words
      .filter((word) => word.startsWith('--'))
      .map((word) => `complete -c sallyport -f -n '__sallyport_at "${typed}"' -l ${word.slice(2)}`),
  )
  return `function __sallyport_at
  set -l typed (string match -rv '^(-|[0-9])' -- (commandline -opc)[2..])
  test "$typed" = "$argv[1]"
end
${[...lines, ...flags].join('\n')}`
}

const scripts: Readonly<Record<string, () => string>> = {
  bash,
  zsh: () => `autoload -U +X bashcompinit && bashcompinit\n${bash()}`,
  fish,
}

export const completionFor = (shell: string | undefined): string => {
  const script = scripts[shell ?? '']
  if (!script) throw new UsageError('Name a shell: sallyport completion bash, zsh or fish.')
  return script()
}
