import { rolesOf } from '@sallyport/contract/operation'
import { type Command, commands, commandsUnder } from './commands.ts'
import { type Flag, flagsOf } from './flags.ts'
import { commonFlags } from './input.ts'
import { linesFor } from './local.ts'
import { examples, groups } from './words.ts'

/** What people read before they type. */

const two = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join('\n')
}

export const lineOf = ({ words, arguments: named }: Command): string =>
  [...words, ...named.map((name) => name.toUpperCase())].join(' ')

const firstWords = (): string[] => [...new Set(commands.map(({ words }) => words[0] as string))].toSorted()

const aboutGroup = (word: string): string => {
  const first = commandsUnder([word])[0] as Command
  return groups[word] ?? first.operation.row.summary.en
}

export const overview =
  (): string => `sallyport: sells VPN access, puts it on servers, delivers it to client apps

On the machine of the service:
${two(linesFor('service'))}

On a VPN server:
${two(linesFor('node'))}

From anywhere, with an operator’s token:
${two([
  ['login', 'keep the address of a service and a token for the commands below'],
  ['logout', 'forget them'],
  ...firstWords().map((word): [string, string] => [word, aboutGroup(word)]),
  ['completion', 'completion for bash, zsh or fish'],
])}

These ask the service at SALLYPORT_URL with SALLYPORT_TOKEN, or as you logged in.
sallyport COMMAND --help says more. Every command takes --json.

Examples:
  sallyport setup
  sallyport doctor
  sallyport login --url https://vpn.example.com
  sallyport user list --search anna@example.com
  sallyport server drain start 3 --watch`

/** Of what asks for no operation. */
export const ownHelps: Readonly<Record<string, string>> = {
  login: `sallyport login [--url ADDRESS] [--token TOKEN]

Keeps the address of a service and an operator’s token in ~/.config/sallyport/login.json, readable by you alone, once the
service has accepted them. It asks for what is not said. SALLYPORT_URL and SALLYPORT_TOKEN go before what is kept.

Example:
  sallyport login --url https://vpn.example.com`,
  logout: `sallyport logout

Forgets what login keeps; the token itself goes on working until it is revoked (sallyport operator token delete).

Example:
  sallyport logout`,
  completion: `sallyport completion bash|zsh|fish

Writes what a shell needs to complete commands and flags.

Examples:
  source <(sallyport completion bash)
  sallyport completion fish > ~/.config/fish/completions/sallyport.fish`,
}

export const groupHelp = (words: readonly string[]): string => {
  const list = commandsUnder(words)
  const about = words.length === 1 ? aboutGroup(words[0] as string) : ''
  const lines = list.map((command): [string, string] => [lineOf(command), command.operation.row.summary.en])
  const [first] = list
  const example = first && exampleLines(first)[0]
  return `sallyport ${words.join(' ')}${about ? `: ${about}` : ''}

${two(lines)}

sallyport ${first ? first.words.join(' ') : words.join(' ')} --help says what it takes.

Example:
  ${example}`
}

const valueWord = ({ kind, choices }: Flag): string => {
  if (kind === 'boolean') return ''
  if (choices.length > 0 && choices.length <= 4) return ` ${choices.join('|')}`
  return { text: ' TEXT', integer: ' N', number: ' N', list: ' A,B', json: ' JSON|@FILE' }[kind]
}

const flagLine = (flag: Flag): [string, string] => {
  const { name, isRequired, choices, about, takesNull } = flag
  const notes = [
    about,
    choices.length > 4 ? `one of ${choices.join(', ')}` : '',
    takesNull ? 'or null' : '',
    isRequired ? '(required)' : '',
  ]
  return [`--${name}${valueWord(flag)}`, notes.filter(Boolean).join('; ').replace('; (', ' (')]
}

const quoted = (text: string): string =>
  /^[\w@./:+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** As it is typed: what the row's example says, or the field's own. */
const exampleValue = (flag: Flag, body: Readonly<Record<string, unknown>>): string => {
  const usual = flag.example ?? flag.choices[0] ?? (flag.kind === 'text' ? 'text' : 1)
  const value = flag.field in body ? body[flag.field] : usual
  if (flag.kind === 'list' && Array.isArray(value)) return value.join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** By hand where that says more, else what has to be given with the values that the reference shows. */
export const exampleLines = (command: Command): readonly string[] => {
  const { operation, words, arguments: named } = command
  const given = examples[operation.name]
  if (given) return given.map((line) => `sallyport ${line}`)
  const body = (operation.row.example?.body ?? {}) as Readonly<Record<string, unknown>>
  const flags = flagsOf(command)
    .filter(({ isRequired, field }) => isRequired || field in body)
    .map((flag) => {
      const value = exampleValue(flag, body)
      if (flag.kind === 'boolean') return value === 'false' ? `--no-${flag.name}` : `--${flag.name}`
      return `--${flag.name} ${quoted(value)}`
    })
  const params = (operation.row.example?.params ?? {}) as Readonly<Record<string, unknown>>
  const ids = named.map((name) =>
    String(params[name] ?? (name === 'currency' ? 'TON' : name === 'kind' ? 'xray' : 1)),
  )
  return [['sallyport', ...words, ...ids, ...flags].join(' ')]
}

export const commandHelp = (command: Command): string => {
  const { row } = command.operation
  const flags = flagsOf(command).map(flagLine)
  const common = Object.entries(commonFlags).map(([name, { type, about }]): [string, string] => [
    `--${name}${type === 'string' ? ' TEXT' : ''}`,
    about,
  ])
  const ownFlags = flags.length > 0 ? `\nFlags:\n${two(flags)}\n` : ''
  return `sallyport ${lineOf(command)}${flags.length > 0 ? ' [flags]' : ''}

${row.summary.en}. For ${rolesOf(row).join(', ')}.
${ownFlags}
Flags of every command:
${two(common)}

${exampleLines(command).length > 1 ? 'Examples' : 'Example'}:
${exampleLines(command)
  .map((line) => `  ${line}`)
  .join('\n')}

${row.method} /operator/v1${row.path}: ${command.operation.name} in /docs.`
}
