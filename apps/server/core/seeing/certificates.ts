import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { certificateEnd } from '../fleet/certificates.ts'

const endOf = (certificate: string): number[] => {
  try {
    return [certificateEnd(certificate)]
  } catch {
    return []
  }
}

/** When the first of the certificates ends that an operator gave to servers; undefined where there is none. */
export const firstCertificateEnd = async (db: Db): Promise<number | undefined> => {
  const { rows } = await sql<{ certificate: string }>`
    select distinct certificate from servers
    where owner_term_id is null and state <> 'retired' and is_certificate_public`.execute(db)
  const ends = rows.flatMap(({ certificate }) => endOf(certificate))
  return ends.length === 0 ? undefined : Math.min(...ends)
}
