declare module 'virtual:operations/*' {
  import type { CalledRow } from '@sallyport/contract/client/core'
  export const operations: Readonly<Record<string, CalledRow>>
}

declare module '*.css'

declare module '*.css?url' {
  const url: string
  export default url
}
