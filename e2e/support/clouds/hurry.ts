import { hurriedMs, longestPauseMs, sinceSetting, speed } from './pace.ts'

/** Loaded before the service: leases, pauses and jobs that take minutes take seconds, and all else is as it is. */

const sinceMs = Number(process.env[sinceSetting])
const wallMs = Date.now
Date.now = () => hurriedMs(sinceMs, wallMs())

const setUsualInterval = globalThis.setInterval
const shortestJobMs = 2000
const hurried = (work: () => void, ms = 0): NodeJS.Timeout =>
  setUsualInterval(work, ms < shortestJobMs ? ms : Math.min(ms / speed, longestPauseMs))
globalThis.setInterval = Object.assign(hurried, setUsualInterval) as typeof setInterval
