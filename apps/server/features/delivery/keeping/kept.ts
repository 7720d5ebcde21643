import { decode, type Encoding, encode } from '@sallyport/domain/delivery/encoding'
import { etagOf } from '@sallyport/domain/delivery/etag'
import type { Rendered } from '@sallyport/domain/delivery/formats/render'
import type { Basis } from './basis.ts'

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
  /** What else it was made of; pages, which nobody keeps, have none. */
  readonly basis: Basis | undefined
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
    basis?: Basis,
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
    this.basis = basis
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
    const form = alone(encode(this.#plain ?? this.#unpacked(), encoding))
    if (encoding === 'gzip') this.#gzip = form
    else this.#br = form
    this.#bytes += sizeOf(form) - sizeOf(this.#plain)
    this.#plain = undefined
    return form
  }
}

interface Kept {
  readonly answer: Answer
  bytes: number
  /** Asked for since it was last looked at to make room. */
  isWanted: boolean
}

interface Coming {
  readonly revision: number
  readonly answer: Promise<Answer | undefined>
}

/**
 * At most so many bytes. Who came first goes first, unless it was asked for meanwhile: then it stays for another turn. Moving
 * each to the end as it is asked for would leave a name in the old generation for every fetch.
 */
export class KeptAnswers {
  readonly #maxBytes: number
  readonly #answers = new Map<string, Kept>()
  readonly #coming = new Map<string, Coming>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#answers.size
  }

  /** One of this revision that still holds. */
  find(name: string, revision: number, now: number): Answer | undefined {
    const kept = this.#answers.get(name)
    if (!kept) return undefined
    const { answer } = kept
    if (answer.revision !== revision || now >= answer.validUntil) return undefined
    kept.isWanted = true
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
    const before = this.#answers.get(name)
    const { bytes } = answer
    if (before?.answer === answer) {
      if (before.bytes === bytes) return
      this.#bytes += bytes - before.bytes
      before.bytes = bytes
    } else {
      if (before) this.#drop(name, before)
      this.#answers.set(name, { answer, bytes, isWanted: false })
      this.#bytes += bytes
    }
    this.#makeRoom()
  }

  #drop(name: string, { bytes }: Kept): void {
    this.#answers.delete(name)
    this.#bytes -= bytes
  }

  #makeRoom(): void {
    // What is set anew comes at the end, and is met again without the mark.
    for (const [name, kept] of this.#answers) {
      if (this.#bytes <= this.#maxBytes) return
      if (kept.isWanted) {
        kept.isWanted = false
        this.#answers.delete(name)
        this.#answers.set(name, kept)
      } else this.#drop(name, kept)
    }
  }
}
