import { badRequest } from '@sallyport/contract/errors'
import { parse } from 'secure-json-parse'
import { checkValues } from '../../operations/checked-values.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** JSON from the outside. Node would quietly repair broken UTF-8 and keep a `__proto__` key; this refuses both. */
export const parseJson = (bytes: Uint8Array, mostValues: number): unknown => {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw badRequest('', 'the body is not valid UTF-8')
  }
  let value: unknown
  try {
    value = parse(text, null, { protoAction: 'error', constructorAction: 'error' })
  } catch (error) {
    const isForbidden = (error as Error).message.includes('forbidden prototype')
    throw badRequest(
      '',
      isForbidden ? '__proto__ and constructor.prototype are refused' : 'the body is not valid JSON',
    )
  }
  checkValues(value, mostValues)
  return value
}
