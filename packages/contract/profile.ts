import Type from 'typebox'
import { table } from './operation.ts'
import { Notification, Profile } from './shapes.ts'

export const profile = table({
  getProfile: {
    method: 'GET',
    path: '/profile',
    summary: 'The account: balances, referral code, subscription key, personal prices',
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: Profile },
    errors: [],
  },
  takeNotifications: {
    method: 'GET',
    path: '/profile/notifications',
    summary: 'Waiting notifications; what is returned is removed',
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: Type.Array(Notification) },
    errors: [],
  },
})
