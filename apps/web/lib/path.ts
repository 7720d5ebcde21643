/** A path with its `:names` filled in; one that is left out does not compile. */

type ParamsIn<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsIn<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never
type Given<P extends string> = [ParamsIn<P>] extends [never]
  ? []
  : [params: Readonly<Record<ParamsIn<P>, string | number>>]

/** Among the paths of one table. */
export const pathsOf =
  <Path extends string>() =>
  <P extends Path>(path: P, ...[params]: Given<P>): string =>
    path.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(String((params as Readonly<Record<string, string | number>> | undefined)?.[name])),
    )
