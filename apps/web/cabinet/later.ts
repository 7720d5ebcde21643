/** What can wait until the first screen is there. */
export { keepShell } from '../lib/shell.ts'
export { Mirrors } from './mirrors.tsx'
export { Unread } from './notices/unread.tsx'
