import { decode, type Encoding, encode, quickGzip } from '@sallyport/domain/delivery/encoding'
import { etagOf } from '@sallyport/domain/delivery/etag'
import type { Rendered } from '@sallyport/domain/delivery/formats/render'
import { LRUCache } from 'lru-cache'
import type { CacheCount } from '../../../core/seeing/cache-counts.ts'
import type { Validity } from './validity.ts'

/** What keys deliver, made once for each of their revisions, with its compressed forms. */

/** Whatever is smaller does not gain by it. */
const worthCompressing = 256
/** Beside its bytes, of an answer (its name, tag and place in the map) and of each form (what Node keeps of a buffer). */
const overheadBytes = { answer: 400, form: 300 }

/** Of its own size: what is cut from a larger block, as zlib gives it, would keep all of the block. */
const alone = (bytes: Uint8Array): Buffer => {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  copy.set(bytes)
  return copy
}

export interface Form {
  readonly body: Buffer
  readonly encoding: Encoding | null
  readonly etag: string
}

const sizeOf = (form: Buffer | undefined): number => (form ? overheadBytes.form + form.length : 0)

export class Answer {
  readonly contentType: string
  readonly fileExtension: string
  readonly revision: number
  /** When something in it ends, so that the same revision gives another answer. */
  readonly validUntil: number
  /** What else it was made of; what nobody keeps has none. */
  readonly validity: Validity | undefined
  readonly #etag: string
  readonly #isWorthIt: boolean
  #bytes: number
  /** Until there is a compressed one: few apps take none, and for them it is unpacked. */
  #plain: Buffer | undefined
  #gzip: Buffer | undefined
  #br: Buffer | undefined

  constructor(
    { body, contentType, fileExtension }: Rendered,
    revision: number,
    validUntil: number,
    validity?: Validity,
  ) {
    const plain = alone(Buffer.from(body))
    this.contentType = contentType
    this.fileExtension = fileExtension
    this.#etag = etagOf(plain)
    this.#isWorthIt = plain.length >= worthCompressing
    this.#plain = plain
    this.#bytes = overheadBytes.answer + sizeOf(plain)
    this.revision = revision
    this.validUntil = validUntil
    this.validity = validity
  }

  /** Of all its forms. */
  get bytes(): number {
    return this.#bytes
  }

  /** In the form asked for, or as it is where that would win nothing. Each form has a tag of its own. */
  as(encoding: Encoding | 'identity'): Form {
    if (encoding === 'identity' || !this.#isWorthIt) {
      return { body: this.#plain ?? this.#unpacked(), encoding: null, etag: this.#etag }
    }
    const body = (encoding === 'gzip' ? this.#gzip : this.#br) ?? this.#packed(encoding)
    return { body, encoding, etag: `${this.#etag.slice(0, -1)}-${encoding}"` }
  }

  #unpacked(): Buffer {
    return this.#gzip ? decode(this.#gzip, 'gzip') : decode(this.#br as Buffer, 'br')
  }

  #packed(encoding: Encoding): Buffer {
    const form = alone(encode(this.#plain ?? this.#unpacked(), encoding, quickGzip))
    if (encoding === 'gzip') this.#gzip = form
    else this.#br = form
    this.#bytes += sizeOf(form) - sizeOf(this.#plain)
    this.#plain = undefined
    return form
  }
}

interface Kept {
  readonly answer: Answer
  /** When it was kept: a form that is added later changes the answer's own. */
  readonly bytes: number
}

interface Coming {
  readonly revision: number
  readonly answer: Promise<Answer | undefined>
}

/** At most so many bytes. What nobody has asked for longest goes first. */
export class AnswerCache {
  readonly #answers: LRUCache<string, Kept>
  readonly #coming = new Map<string, Coming>()
  readonly #count: CacheCount

  constructor(maxBytes: number, count: CacheCount = { hits: 0, misses: 0 }) {
    this.#count = count
    // To the library 0 is no bound.
    this.#answers = new LRUCache({ maxSize: Math.max(1, maxBytes) })
  }

  get bytes(): number {
    return this.#answers.calculatedSize
  }

  get size(): number {
    return this.#answers.size
  }

  /** One of this revision that still holds. */
  find(name: string, revision: number, now: number): Answer | undefined {
    const answer = this.#answers.get(name)?.answer
    if (!answer || answer.revision !== revision || now >= answer.validUntil) {
      this.#count.misses++
      return undefined
    }
    this.#count.hits++
    return answer
  }

  /** Made once however many ask for it meanwhile; not kept yet. */
  make(
    name: string,
    revision: number,
    render: () => Promise<Answer | undefined>,
  ): Promise<Answer | undefined> {
    const coming = this.#coming.get(name)
    if (coming?.revision === revision) return coming.answer
    const answer = render().finally(() => {
      if (this.#coming.get(name)?.answer === answer) this.#coming.delete(name)
    })
    this.#coming.set(name, { revision, answer })
    return answer
  }

  /** Also after a form was added to it, which changes its size. */
  keep(name: string, answer: Answer): void {
    const { bytes } = answer
    const before = this.#answers.peek(name)
    if (before?.answer === answer && before.bytes === bytes) return
    this.#answers.set(name, { answer, bytes }, { size: bytes })
  }
}
