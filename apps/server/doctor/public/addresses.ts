import { readMirrors } from '../business/queries.ts'
import { DatabaseAway, type Subject } from '../subject.ts'

/** PUBLIC_URL first, then mirrors where the database tells them. */
export const publicUrlsOf = async (subject: Subject): Promise<readonly string[]> => {
  const { publicUrl } = subject.config
  if (!publicUrl) return []
  try {
    return [publicUrl, ...(await subject.read(readMirrors))]
  } catch (error) {
    if (error instanceof DatabaseAway) return [publicUrl]
    throw error
  }
}
