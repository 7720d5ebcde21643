import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib'

/** Compressing answers that are kept. */

export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** More than any app sends, and little enough to look through. */
const maxHeaderCharacters = 512

/** How much each is wanted; what is named without a weight is wanted in full. */
const weightsIn = (accepted: string): ReadonlyMap<string, number> =>
  new Map(
    accepted.split(',').map((one) => {
      const [name = '', ...parameters] = one.toLowerCase().split(';')
      const weight = parameters.map((each) => /^\s*q\s*=\s*([\d.]+)\s*$/.exec(each)?.[1]).find(Boolean)
      return [name.trim(), weight === undefined ? 1 : Number(weight)]
    }),
  )

/** The smallest form that the caller takes; null for the text as it is. An asterisk speaks for those that are not named. */
export const encodingFor = (accepted: string | undefined): Encoding | null => {
  if (!accepted || accepted.length > maxHeaderCharacters) return null
  const weights = weightsIn(accepted)
  const isTaken = (encoding: Encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0
  return encodings.find(isTaken) ?? null
}

const brotliQuality = 5
/** Of what is made once and stays. */
const usualGzip = 6
/** Of what each customer has of his own: a third faster, for half a percent more of links and two of JSON. */
export const quickGzip = 3

export const encode = (body: Buffer, encoding: Encoding, gzipLevel = usualGzip): Buffer => {
  if (encoding === 'gzip') return gzipSync(body, { level: gzipLevel })
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  }
  return brotliCompressSync(body, { params })
}

export const decode = (body: Uint8Array, encoding: Encoding): Buffer =>
  encoding === 'gzip' ? gunzipSync(body) : brotliDecompressSync(body)
