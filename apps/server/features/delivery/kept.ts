import { type Encoding, encode } from '@sallyport/domain/delivery/encoding'
import { etagOf } from '@sallyport/domain/delivery/etag'
import type { Rendered } from '@sallyport/domain/delivery/formats/render'
import type { Basis } from './basis.ts'

/** What keys deliver, made once for each of their revisions, with its compressed forms. */

/** Whatever is smaller does not gain by it. */
const worthCompressing = 256
/** Of one entry beside its bytes: the key, the tag and the map's own. */
const overheadBytes = 500

interface Form {
  readonly body: Buffer
  readonly encoding: Encoding | null
  readonly etag: string
}

export class Answer {
  readonly contentType: string
  readonly fileExtension: string
  readonly revision: number
  /** When something in it ends, so that the same revision gives another answer. */
  readonly validUntil: number
  /** What else it was made of; pages, which nobody keeps, have none. */
  readonly basis: Basis | undefined
  readonly #etag: string
  readonly #plain: Buffer
  readonly #encoded = new Map<Encoding, Buffer>()

  constructor(
    { body, contentType, fileExtension }: Rendered,
    revision: number,
    validUntil: number,
    basis?: Basis,
  ) {
    this.#plain = Buffer.from(body)
    this.contentType = contentType
    this.fileExtension = fileExtension
    this.#etag = etagOf(this.#plain)
    this.revision = revision
    this.validUntil = validUntil
    this.basis = basis
  }

  get bytes(): number {
    let sum = this.#plain.length + overheadBytes
    for (const { length } of this.#encoded.values()) sum += length
    return sum
  }

  /** In the form asked for, or as it is where that would win nothing. Each form has a tag of its own. */
  as(encoding: Encoding | null): Form {
    if (encoding === null || this.#plain.length < worthCompressing) {
      return { body: this.#plain, encoding: null, etag: this.#etag }
    }
    let body = this.#encoded.get(encoding)
    if (!body) {
      body = encode(this.#plain, encoding)
      this.#encoded.set(encoding, body)
    }
    return { body, encoding, etag: this.#etag.replace(/"$/, `-${encoding}"`) }
  }
}

/** At most so many bytes; who was asked for longest ago goes first. */
export class KeptAnswers {
  readonly #maxBytes: number
  readonly #answers = new Map<string, { readonly answer: Answer; bytes: number }>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** One of this revision that still holds. */
  find(name: string, revision: number, now: number): Answer | undefined {
    const kept = this.#answers.get(name)
    if (!kept) return undefined
    const { answer } = kept
    if (answer.revision !== revision || now >= answer.validUntil) return undefined
    this.#answers.delete(name)
    this.#answers.set(name, kept)
    return answer
  }

  /** Also after a form was added to it, which makes it larger. */
  keep(name: string, answer: Answer): void {
    this.#bytes -= this.#answers.get(name)?.bytes ?? 0
    this.#answers.delete(name)
    const { bytes } = answer
    this.#answers.set(name, { answer, bytes })
    this.#bytes += bytes
    for (const [oldest, { bytes: freed }] of this.#answers) {
      if (this.#bytes <= this.#maxBytes) return
      this.#answers.delete(oldest)
      this.#bytes -= freed
    }
  }
}
