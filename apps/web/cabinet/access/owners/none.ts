import { SallyportError } from '../../../lib/send.ts'

/** That there is none is an answer too. */
export const noneIfMissing = async <T>(read: Promise<T>): Promise<T | null> => {
  try {
    return await read
  } catch (error) {
    if (error instanceof SallyportError && error.statusCode === 404) return null
    throw error
  }
}
