/** What takes everything elsewhere or ends it, in one file of the build. */
export { Data } from './data.tsx'
export { Transfer } from './transfer.tsx'
