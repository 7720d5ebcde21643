import { expect, test } from 'vitest'
import { script } from './script.ts'

/** Runs the script as a browser would, with the little of a page that it asks for. */
const run = async (
  blocks: Record<string, { open: boolean }>,
  maxTouchPoints: number,
  hasClipboard = true,
) => {
  const field = { value: 'https://vpn.example.com/sub/key', select: () => said.push('selected') }
  const label = { textContent: 'Copy' }
  const button = {
    dataset: { of: 'address', done: 'Copied' },
    firstChild: label,
    hidden: true,
    onclick: async () => {},
  }
  const said: string[] = []
  const later: (() => void)[] = []
  const parts: Record<string, object> = { ...blocks, address: field }
  const document = {
    querySelectorAll: () => [button],
    getElementById: (id: string) => parts[id] ?? null,
    execCommand: (command: string) => said.push(`command ${command}`),
  }
  const clipboard = { writeText: async (text: string) => void said.push(`clipboard ${text}`) }
  const navigator = { maxTouchPoints, ...(hasClipboard && { clipboard }) }
  const setTimeout = (task: () => void) => later.push(task)
  new Function('document', 'navigator', 'setTimeout', script)(document, navigator, setTimeout)
  return { button, label, said, later }
}

test('a button appears, copies the field and says so for a while', async () => {
  const { button, label, said, later } = await run({}, 0)
  expect(button.hidden).toBe(false)
  await button.onclick()
  await button.onclick()
  expect(said.slice(0, 2)).toEqual(['selected', 'clipboard https://vpn.example.com/sub/key'])
  expect(label.textContent).toBe('Copied')
  for (const task of later) task()
  expect(label.textContent).toBe('Copy')
})

test('where pages may not write to the clipboard it copies what is selected', async () => {
  const { button, label, said } = await run({}, 0, false)
  await button.onclick()
  expect(said).toEqual(['selected', 'command copy'])
  expect(label.textContent).toBe('Copied')
})

test.each([
  ['an iPad that calls itself a Mac', 5, { ios: true, macos: false }],
  ['a Mac', 0, { ios: false, macos: true }],
])('%s', async (_name, touches, expected) => {
  const blocks = { ios: { open: false }, macos: { open: true } }
  await run(blocks, touches)
  expect({ ios: blocks.ios.open, macos: blocks.macos.open }).toEqual(expected)
})

test('a laptop with a touch screen keeps its own block', async () => {
  const blocks = { ios: { open: false }, macos: { open: false } }
  await run(blocks, 10)
  expect(blocks.ios.open).toBe(false)
})
