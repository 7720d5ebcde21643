/** Everything about getting in, in one file of the build. */
export { Device } from './device.tsx'
export { Sessions } from './sessions.tsx'
export { Ways } from './ways.tsx'
