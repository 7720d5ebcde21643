import type pg from 'pg'

const namesByText = new Map<string, string>()
const maxNames = 1000

/** Statements are prepared once a connection; text built at run time stays unnamed past a bound. */
const nameOf = (sql: string): string | undefined => {
  let name = namesByText.get(sql)
  if (!name && namesByText.size < maxNames) {
    name = `s${namesByText.size}`
    namesByText.set(sql, name)
  }
  return name
}

export type QueryOf = (sql: string, params: readonly unknown[]) => pg.QueryConfig

export const preparedQuery: QueryOf = (sql, params) => {
  const name = params.length === 0 ? undefined : nameOf(sql)
  return { text: sql, values: params as unknown[], ...(name && { name }) }
}

/** For a pooler that hands each transaction to another connection, where nothing was prepared. */
export const unnamedQuery: QueryOf = (sql, params) => ({ text: sql, values: params as unknown[] })
