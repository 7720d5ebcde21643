/** UTC+3, UTC−3:30. */
export const zoneText = (minutes: number): string => {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  if (minutes === 0) return 'UTC'
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/** Of this device, in minutes east of UTC. */
export const ownZone = (): number => -new Date().getTimezoneOffset()
