import { many } from '../../../core/fleet/change-server.ts'

/** Why something stays while customers have something there: how many they are, and what they have. */
export const customersOn = (customers: number, what: string): string =>
  `${many(customers, 'customer')} depend${customers === 1 ? 's' : ''} on it: ${what}`
