import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Two questions to a program whose input is not a terminal. */
const program = `import { ask } from ${JSON.stringify(fileURLToPath(new URL('ask.ts', import.meta.url)))}
try { console.log([await ask('Name: '), await ask('Price: ')].join('|')) } catch (error) { console.log(error.message) }`

const answers = (input: string): string =>
  spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    input,
    encoding: 'utf8',
  }).stdout.trim()

test('answers that are piped in all at once are one each', () => {
  expect(answers('olga\n 200 \n')).toBe('olga|200')
})

test('the last line may end without its end', () => {
  expect(answers('olga\n200')).toBe('olga|200')
  expect(answers('olga')).toContain('There is no answer to “Price:”')
})

test('input that ends before the last question is told of', () => {
  expect(answers('olga\n')).toContain('There is no answer to “Price:”')
})
