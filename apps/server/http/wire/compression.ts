import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { Operation } from '@sallyport/contract/operation'
import { type Encoding, encodingFor } from '@sallyport/domain/delivery/encoding'
import { leastRecentlyUsed } from '../../core/least-recent.ts'

/** Answers of the API made smaller on the way, for callers who say that they can read them so. */

/** Below it the headers weigh more than what is saved. */
const fewestCharacters = 1024
/** Beyond it a thread does it, and the service goes on meanwhile. */
const mostAtOnce = 64 * 1024

/** As cheap as the quickest gzip, and smaller; the next qualities take two and three times as long for a tenth less. */
const quality = 1
const gzipLevel = 1

const compressing = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const
const compressingSync = { br: brotliCompressSync, gzip: gzipSync } as const

const optionsFor = (encoding: Encoding, bytes: number) =>
  encoding === 'gzip'
    ? { level: gzipLevel }
    : { params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes } }

/**
 * Only what is read, by somebody who is known: that never repeats what the request said, and secrets that are shown once answer
 * writes. So nobody finds out a secret by how small it becomes beside words of their own. Agents are machines of ours and keep
 * what they have.
 */
export const isCompressible = ({ method, auth }: Operation): boolean =>
  method === 'GET' && (auth === 'customer' || auth === 'session' || auth === 'operator')

/** Callers send the same few texts. */
const kept = leastRecentlyUsed<string, Encoding | 'identity'>(100)

const wantedBy = (accepted: string): Encoding | 'identity' => {
  const known = kept.get(accepted)
  if (known) return known
  const encoding = encodingFor(accepted) ?? 'identity'
  kept.set(accepted, encoding)
  return encoding
}

/** What to send this answer as; undefined for the text as it is. */
export const compressionFor = (text: string, accepted: string | undefined): Encoding | undefined => {
  if (accepted === undefined || text.length < fewestCharacters) return undefined
  const wanted = wantedBy(accepted)
  return wanted === 'identity' ? undefined : wanted
}

export const compress = (text: string, encoding: Encoding): Buffer | Promise<Buffer> => {
  const body = Buffer.from(text)
  const options = optionsFor(encoding, body.length)
  return body.length > mostAtOnce
    ? compressing[encoding](body, options)
    : compressingSync[encoding](body, options)
}
