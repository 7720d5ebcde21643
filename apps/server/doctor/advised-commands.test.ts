import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandsUnder } from '@sallyport/cli/commands'
import { expect, test } from 'vitest'
import localCommands from '../../../bin/local-commands.json' with { type: 'json' }

/** What people are told to type is a command. */

const server = fileURLToPath(new URL('..', import.meta.url))
const texts = globSync(['doctor/**/*.ts', 'local/**/*.ts', 'cli/**/*.ts'], { cwd: server })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => [path, readFileSync(join(server, path), 'utf8')] as const)

/** Verbs of commands; a word of the sentence that follows is none of them. */
const advised = texts.flatMap(([path, text]) =>
  [...text.matchAll(/\bsallyport ([a-z][a-z-]+)(?: ([a-z][a-z-]+))?/g)].map(([, noun = '', verb]) => ({
    path,
    noun,
    verb,
  })),
)

/** Of the program that asks a service, and of no table. */
const ownCommands = ['login']
/** After a path that ends with the name, or the name itself. */
const isProse = /^(on another|of the) ?/

const isCommand = ({ noun, verb = '' }: { readonly noun: string; readonly verb?: string | undefined }) =>
  Object.hasOwn(localCommands, noun) ||
  ownCommands.includes(noun) ||
  isProse.test(`${noun} ${verb}`) ||
  commandsUnder([noun, verb].filter(Boolean)).length > 0

test('every command that advice names is one', () => {
  expect(advised.length).toBeGreaterThan(20)
  expect(advised.filter((one) => !isCommand(one))).toEqual([])
})
