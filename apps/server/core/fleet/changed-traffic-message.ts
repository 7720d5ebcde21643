/** What instances tell each other of terms whose traffic an agent reported. */

export const movedPrefix = 'traffic:'

/** More do not fit into one message; then it is said of all. */
export const mostNamed = 500

const everything = '*'

/** The message; undefined when nothing moved. */
export const tellMoved = (termIds: readonly number[]): string | undefined => {
  if (termIds.length === 0) return undefined
  return movedPrefix + (termIds.length > mostNamed ? everything : termIds.join(' '))
}

export const readMoved = (said: string): readonly number[] | 'all' =>
  said === everything ? 'all' : said.split(' ').map(Number)
