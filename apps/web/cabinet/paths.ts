import type { CabinetPath } from '@sallyport/domain/cabinet/pages'

/** The address of a page; a path that is not in the table, or a parameter left out, does not compile. */

type ParamsIn<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsIn<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never
type Given<P extends string> = [ParamsIn<P>] extends [never]
  ? []
  : [params: Readonly<Record<ParamsIn<P>, string | number>>]

export const to = <P extends CabinetPath>(path: P, ...[params]: Given<P>): string =>
  path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Readonly<Record<string, string | number>> | undefined)?.[name])),
  )
