import { memberPath } from '@sallyport/domain/text/strict-json'

/** Where things stand in a JSON text, and what keeps it from being one. The service has the last word about what is in it. */

export interface Place {
  /** Both from 1, as editors count. */
  readonly line: number
  readonly column: number
}

export type Fault = 'value' | 'name' | 'colon' | 'comma' | 'text' | 'twice' | 'comment' | 'tail'

export interface ReadJson {
  /** The start of every value by its path, as the service writes it: `inbounds[0].port`. */
  readonly starts: ReadonlyMap<string, number>
  readonly fault?: { readonly reason: Fault; readonly at: number }
}

class Stop extends Error {
  readonly reason: Fault
  readonly at: number
  constructor(reason: Fault, at: number) {
    super(reason)
    this.reason = reason
    this.at = at
  }
}

const space = /[ \t\n\r]*/y
const literal = /"(?:[^"\\]|\\[\s\S])*"/y
const plain = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y

class Walk {
  readonly starts = new Map<string, number>()
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): void {
    this.#skip()
    this.#value('')
    this.#skip()
    if (this.#at < this.#text.length) this.#stop('tail')
  }

  #stop(reason: Fault): never {
    const isComment = /^(?:\/[/*]|#)/.test(this.#text.slice(this.#at, this.#at + 2))
    throw new Stop(isComment ? 'comment' : reason, this.#at)
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    if (found !== undefined) this.#at += found.length
    return found
  }

  #skip(): void {
    this.#match(space)
  }

  #takes(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    this.#skip()
    return true
  }

  #value(path: string): void {
    if (!this.starts.has(path)) this.starts.set(path, this.#at)
    const next = this.#text[this.#at]
    if (next === '{') this.#object(path)
    else if (next === '[') this.#array(path)
    else if (next === '"') this.#string()
    else if (this.#match(plain) === undefined) this.#stop('value')
  }

  #object(path: string): void {
    this.#takes('{')
    if (this.#takes('}')) return
    do {
      const at = this.#at
      if (this.#text[at] !== '"') this.#stop('name')
      const member = memberPath(path, this.#string())
      if (this.starts.has(member)) throw new Stop('twice', at)
      this.starts.set(member, at)
      this.#skip()
      if (!this.#takes(':')) this.#stop('colon')
      this.#value(member)
      this.#skip()
    } while (this.#takes(','))
    if (this.#text[this.#at] !== '}') this.#stop('comma')
    this.#at++
  }

  #array(path: string): void {
    this.#takes('[')
    if (this.#takes(']')) return
    let count = 0
    do {
      this.#value(`${path}[${count}]`)
      count++
      this.#skip()
    } while (this.#takes(','))
    if (this.#text[this.#at] !== ']') this.#stop('comma')
    this.#at++
  }

  #string(): string {
    const at = this.#at
    try {
      return JSON.parse(this.#match(literal) ?? '')
    } catch {
      throw new Stop('text', at)
    }
  }
}

export const readJson = (text: string): ReadJson => {
  const walk = new Walk(text)
  try {
    walk.document()
    return { starts: walk.starts }
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    return { starts: walk.starts, fault: { reason: error.reason, at: error.at } }
  }
}

export const placeAt = (text: string, at: number): Place => {
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

/** Where a line begins. */
export const lineStart = (text: string, line: number): number => {
  let at = 0
  for (let passed = 1; passed < line; passed++) at = text.indexOf('\n', at) + 1 || text.length
  return at
}

const lastStep = /(?:\.[^.[\]]+|\[[^\]]*\]|^[^.[\]]+)$/

/** Of a text that is checked as a whole, problems begin with the place: `outbounds[0].tag: must be a text`. */
export const pathIn = (problem: string): string =>
  /^((?:[^\s.[\]:"]|\[(?:\d+|"(?:[^"\\]|\\.)*")\]|\.)+): /.exec(problem)?.[1] ?? ''

/** What the service says is at this line, or is missing in what begins there; undefined where it means the whole. */
export const placeOfProblem = (
  text: string,
  { starts }: ReadJson,
  { path, problem }: { readonly path: string; readonly problem: string },
): Place | undefined => {
  const [, line, column] = /\(line (\d+), column (\d+)\)/.exec(problem) ?? []
  if (line !== undefined) return { line: Number(line), column: Number(column) }
  let wanted = path === '' ? pathIn(problem) : path
  while (wanted !== '') {
    const at = starts.get(wanted)
    if (at !== undefined) return placeAt(text, at)
    const wider = wanted.replace(lastStep, '')
    // Written in a way that nobody here knows.
    if (wider === wanted) return undefined
    wanted = wider
  }
  return undefined
}
