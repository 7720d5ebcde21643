/** What others may know and what is made anew, in one file of the build. */
export { ApiKeys } from './api-keys.tsx'
export { Link } from './link.tsx'
