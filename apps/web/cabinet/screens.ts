import type { CabinetScreen } from '@sallyport/domain/cabinet/pages'
import type { ComponentType } from 'preact'
import { lazy } from 'preact-iso'
import type { ScreenProps } from './screen-props.ts'

/** Every screen is a file of its own, loaded when it is first opened. */

interface Module {
  readonly default: ComponentType<ScreenProps> | ComponentType
}

const screen = (load: () => Promise<Module>) =>
  lazy(load as () => Promise<{ default: ComponentType<ScreenProps> }>)

export const screens: Readonly<Record<CabinetScreen, ComponentType<ScreenProps>>> = {
  home: screen(() => import('./screens/home/home.tsx')),
  'sign-in': screen(() => import('./screens/sign-in/sign-in.tsx')),
  subscription: screen(() => import('./screens/subscription/subscription.tsx')),
  rules: screen(() => import('./screens/rules/rules.tsx')),
  connect: screen(() => import('./screens/connect/connect.tsx')),
  shop: screen(() => import('./screens/shop/shop.tsx')),
  'shop-config': screen(() => import('./screens/shop-config/shop-config.tsx')),
  'shop-option': screen(() => import('./screens/shop-option/shop-option.tsx')),
  'shop-cloud': screen(() => import('./screens/shop-cloud/shop-cloud.tsx')),
  payment: screen(() => import('./screens/payment/payment.tsx')),
  gift: screen(() => import('./screens/gift/gift.tsx')),
  keys: screen(() => import('./screens/keys/keys.tsx')),
  config: screen(() => import('./screens/config/config.tsx')),
  renew: screen(() => import('./screens/renew/renew.tsx')),
  option: screen(() => import('./screens/option/option.tsx')),
  'option-config': screen(() => import('./screens/option-config/option-config.tsx')),
  cloud: screen(() => import('./screens/cloud/cloud.tsx')),
  'cloud-config': screen(() => import('./screens/cloud-config/cloud-config.tsx')),
  subscriptions: screen(() => import('./screens/subscriptions/subscriptions.tsx')),
  'custom-subscription': screen(() => import('./screens/custom-subscription/custom-subscription.tsx')),
  devices: screen(() => import('./screens/devices/devices.tsx')),
  balance: screen(() => import('./screens/balance/balance.tsx')),
  friends: screen(() => import('./screens/friends/friends.tsx')),
  notifications: screen(() => import('./screens/notifications/notifications.tsx')),
  settings: screen(() => import('./screens/settings/settings.tsx')),
}
