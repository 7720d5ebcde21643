/** Of an access `c`, with those of its owner, which hold for everything that they have. */
export const flagsColumn = (userId: string, access = 'c'): string => `(${access}.flags || array(
  select f from unnest((select o.flags from users o where o.id = ${userId})) f where f <> all(${access}.flags)))`
