declare module 'virtual:operations/*' {
  import type { CalledRow } from '@sallyport/contract/client/core'
  export const operations: Readonly<Record<string, CalledRow>>
}

declare module 'virtual:token-operations' {
  import type { Role } from '@sallyport/contract/operation'

  interface TokenOperation {
    readonly name: string
    readonly title: string
    readonly isReading: boolean
    readonly roles: readonly Role[]
  }
  export const groups: readonly { readonly title: string; readonly operations: readonly TokenOperation[] }[]
}

declare module '*.css'

declare module '*.css?url' {
  const url: string
  export default url
}
