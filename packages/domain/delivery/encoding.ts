import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib'

/** Compressing answers that are kept: done once, so a little more effort is worth it. */

export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

const isNamed = (accepted: string, encoding: Encoding): boolean =>
  accepted
    .split(',')
    .some((one) => new RegExp(`^\\s*(${encoding}|\\*)\\s*(;\\s*q=(?!0(\\.0*)?\\s*$).*)?$`, 'i').test(one))

/** The smallest form that the caller takes; null for the text as it is. */
export const encodingFor = (accepted: string | undefined): Encoding | null =>
  accepted ? (encodings.find((encoding) => isNamed(accepted, encoding)) ?? null) : null

const brotliQuality = 5

export const encode = (body: Buffer, encoding: Encoding): Buffer => {
  if (encoding === 'gzip') return gzipSync(body)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  }
  return brotliCompressSync(body, { params })
}

export const decode = (body: Uint8Array, encoding: Encoding): Buffer =>
  encoding === 'gzip' ? gunzipSync(body) : brotliDecompressSync(body)
