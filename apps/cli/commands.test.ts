import { operationsOf, tablesFor } from '@sallyport/contract/tables'
import { describe, expect, test } from 'vitest'
import { commands, findCommand } from './commands.ts'
import { offers } from './completion.ts'
import { flagsOf } from './flags.ts'
import { commandHelp, exampleLines, groupHelp, overview } from './help.ts'
import { commonFlags, readInput } from './input.ts'

const operators = [...operationsOf(tablesFor('operator'))].filter(({ row }) => row.auth === 'operator')

test('every row that a token can call is a command, under words of its own', () => {
  expect(commands.map(({ operation }) => operation.name)).toEqual(operators.map(({ name }) => name))
  const lines = commands.map(({ words }) => words.join(' '))
  expect(new Set(lines).size).toBe(lines.length)
})

test.each([
  ['GET', '/users', 'user list'],
  ['POST', '/users/:id/pricing-rules', 'user pricing-rule create'],
  ['DELETE', '/users/:id/pricing-rules/:rule_id', 'user pricing-rule delete'],
  ['PATCH', '/payment-methods/:id', 'method change'],
  ['POST', '/nodes/:id/enrolment', 'node enrolment'],
  ['POST', '/withdrawals/:id/approve', 'withdrawal approve'],
  ['PUT', '/rates/:currency', 'rate set'],
  ['GET', '/settings', 'settings show'],
  ['GET', '/users/:id/diagnosis', 'user diagnosis'],
  ['GET', '/delivery/templates/:kind', 'delivery template show'],
])('%s %s is “%s”', (method, path, words) => {
  const command = commands.find(({ operation: { row } }) => row.method === method && row.path === path)
  expect(command?.words.join(' ')).toBe(words)
})

describe.each(commands.map((command) => ({ name: command.words.join(' '), command })))('$name', ({
  command,
}) => {
  test('is found by its words', () => {
    expect(findCommand([...command.words, '7'])).toEqual({ command, rest: ['7'] })
  })

  test('has flags that are no flags of every command', () => {
    for (const { name } of flagsOf(command)) expect(Object.keys(commonFlags)).not.toContain(name)
  })

  test('has help with an example that can be typed', () => {
    const help = commandHelp(command)
    expect(help).toContain(command.operation.row.summary.en)
    for (const line of exampleLines(command)) {
      expect(help).toContain(line)
      if (/[@>|]/.test(line.replace(/'[^']*'|\S+@example\.com/g, ''))) continue
      const typed = [...line.matchAll(/'((?:[^']|'\\'')*)'|"([^"]*)"|(\S+)/g)].map(
        ([, single, double, plain]) => single?.replaceAll(`'\\''`, `'`) ?? double ?? (plain as string),
      )
      const { rest } = findCommand(typed.slice(1)) as { rest: string[] }
      expect(() => readInput(command, rest), line).not.toThrow()
    }
  })

  test('is offered by shells', () => {
    const before = command.words.slice(0, -1).join(' ')
    expect(offers().get(before)).toContain(command.words.at(-1))
    for (const { name } of flagsOf(command))
      expect(offers().get(command.words.join(' '))).toContain(`--${name}`)
  })
})

test('the first words are told of, and each says which follow', () => {
  for (const first of new Set(commands.map(({ words }) => words[0] as string))) {
    expect(overview()).toMatch(new RegExp(`^  ${first} +\\S`, 'm'))
    for (const { words } of commands.filter(({ words }) => words[0] === first)) {
      expect(groupHelp([first])).toContain(`  ${words.join(' ')}`)
    }
  }
})
