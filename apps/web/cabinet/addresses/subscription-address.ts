import { page } from '../../lib/page.ts'

/** What apps fetch; the service answers it under every name it has. */
export const subscriptionAddress = (key: string, origin = page.origin || location.origin): string =>
  `${origin}/sub/${key}`
