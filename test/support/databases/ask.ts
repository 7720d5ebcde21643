import pg from 'pg'

/** The rows of the last of these statements, on a connection of its own. */
export const askPostgres = async <Row extends object>(
  { url }: { readonly url: string },
  ...statements: string[]
): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let rows: Row[] = []
  try {
    for (const sql of statements) rows = (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
  return rows
}
