import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'rolldown/parseAst'

/**
 * Every sentence that the code can say to people, for whoever reads them as an editor does: Russian beside its English, words that
 * stand in one language alone, and what an answer's `details` say, which is English.
 */

export type Sentence = { file: string; line: number; ru: string; en: string }

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folders = ['apps', 'packages/domain', 'packages/contract']
/** Without what a terminal says, which is English around names in other languages. */
const isSource = (path: string): boolean =>
  path.endsWith('.ts') &&
  !/\.test\.ts$|node_modules|\/testing\/|^apps\/(cli\/|server\/cli(\.ts$|\/))/.test(path)

const sources = (): string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      .filter(isSource)
      .sort(),
  )

type Node = { type: string; start: number; end: number; [field: string]: unknown }
const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

const childrenOf = (node: Node): Node[] =>
  Object.entries(node).flatMap(([field, value]) =>
    field === 'typeAnnotation' ? [] : [value].flat().filter(isNode),
  )

/** As it is read, with what is put in between braces; null for what says nothing by itself. */
const textOf = (node: unknown, code: string): string | null => {
  if (!isNode(node)) return null
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  if (node.type === 'TemplateLiteral') {
    const quasis = node.quasis as { value: { cooked: string } }[]
    const expressions = node.expressions as Node[]
    const put = (at: number) => {
      const expression = expressions[at]
      return expression ? `{${code.slice(expression.start, expression.end)}}` : ''
    }
    return quasis.map(({ value }, at) => value.cooked + put(at)).join('')
  }
  if (node.type === 'ConditionalExpression') {
    const branches = [node.consequent, node.alternate].map((branch) => textOf(branch, code))
    return branches.includes(null) ? null : branches.join(' / ')
  }
  if (node.type === 'ArrowFunctionExpression') return textOf(node.body, code)
  return null
}

const nameOf = (key: unknown): string => {
  const { name, value } = key as { name?: string; value?: unknown }
  return name ?? String(value)
}

type Pair = { ru: Node | undefined; en: Node | undefined }
const pairOf = (node: Node): Pair => {
  const properties = (node.properties as Node[]).filter(({ type }) => type === 'Property')
  const propertyOf = (name: string) =>
    properties.find(({ key }) => nameOf(key) === name)?.value as Node | undefined
  return { ru: propertyOf('ru'), en: propertyOf('en') }
}

const cyrillic = /[а-яё]/i

/** Constants with the words of a page in English; and who is told what is wrong with a request. */
const isEnglish = ({ type, id }: Node): boolean =>
  type === 'VariableDeclarator' && /^english/.test((id as { name?: string }).name ?? '')
const complaints = new Set(['badRequest', 'conflict', 'forbidden', 'signInFailed', 'unavailable'])
const isComplaint = ({ type, callee, key }: Node): boolean =>
  (type === 'CallExpression' && complaints.has((callee as { name?: string }).name ?? '')) ||
  (type === 'Property' && nameOf(key) === 'problem')

export const sentencesOf = (file: string, code: string): Sentence[] => {
  const found: Sentence[] = []
  const lineOf = ({ start }: Node) => code.slice(0, start).split('\n').length
  const told = new Set<Node>()
  const tellPair = (node: Node): void => {
    const { ru, en } = pairOf(node)
    const text = textOf(ru, code)
    if (!ru || text === null) return
    found.push({ file, line: lineOf(ru), ru: text, en: textOf(en, code) ?? '' })
    for (const part of [ru, en]) if (part) told.add(part)
  }
  const walk = (node: Node, language: 'ru' | 'en'): void => {
    if (told.has(node)) return
    if (node.type === 'ObjectExpression') tellPair(node)
    const text = textOf(node, code)
    const said = { file, line: lineOf(node), ru: '', en: '' }
    if (text !== null && cyrillic.test(text)) found.push({ ...said, ru: text })
    else if (text !== null && language === 'en' && text.includes(' ')) found.push({ ...said, en: text })
    const inside = isEnglish(node) || isComplaint(node) ? 'en' : language
    if (text === null) for (const child of childrenOf(node)) walk(child, inside)
  }
  walk(parseAst(code, { lang: 'ts' }) as unknown as Node, 'ru')
  return found
}

export const everySentence = (): Sentence[] =>
  sources().flatMap((file) => sentencesOf(file, readFileSync(join(root, file), 'utf8')))

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', '⏎')

if (import.meta.main) {
  console.log('| where | Russian | English |\n|---|---|---|')
  for (const { file, line, ru, en } of everySentence())
    console.log(`| ${file}:${line} | ${escaped(ru)} | ${escaped(en)} |`)
}
