import { type CabinetScreen, firstScreens } from '@sallyport/domain/cabinet/pages'
import type { ComponentType } from 'preact'
import type { ScreenProps } from './screen-props.ts'

/** Every screen is a file of its own, loaded when it is first opened. */

interface Module {
  readonly default: ComponentType<ScreenProps> | ComponentType
  /** What it waits for to look as it should. */
  readonly style?: Promise<void>
}

const files: Readonly<Record<CabinetScreen, () => Promise<Module>>> = {
  home: () => import('./screens/home/home.tsx'),
  'sign-in': () => import('./screens/sign-in/sign-in.tsx'),
  subscription: () => import('./screens/subscription/subscription.tsx'),
  rules: () => import('./screens/rules/rules.tsx'),
  connect: () => import('./screens/connect/connect.tsx'),
  shop: () => import('./screens/shop/shop.tsx'),
  'shop-config': () => import('./screens/shop-config/shop-config.tsx'),
  'shop-option': () => import('./screens/shop-option/shop-option.tsx'),
  'shop-cloud': () => import('./screens/shop-cloud/shop-cloud.tsx'),
  payment: () => import('./screens/payment/payment.tsx'),
  gift: () => import('./screens/gift/gift.tsx'),
  once: () => import('./screens/once/once.tsx'),
  keys: () => import('./screens/keys/keys.tsx'),
  config: () => import('./screens/config/config.tsx'),
  renew: () => import('./screens/renew/renew.tsx'),
  option: () => import('./screens/option/option.tsx'),
  'option-config': () => import('./screens/option-config/option-config.tsx'),
  cloud: () => import('./screens/cloud/cloud.tsx'),
  'cloud-config': () => import('./screens/cloud-config/cloud-config.tsx'),
  subscriptions: () => import('./screens/subscriptions/subscriptions.tsx'),
  'custom-subscription': () => import('./screens/custom-subscription/custom-subscription.tsx'),
  devices: () => import('./screens/devices/devices.tsx'),
  balance: () => import('./screens/balance/balance.tsx'),
  friends: () => import('./screens/friends/friends.tsx'),
  notifications: () => import('./screens/notifications/notifications.tsx'),
  settings: () => import('./screens/settings/settings.tsx'),
}

export type Screen = ComponentType<ScreenProps>

const loaded = new Map<CabinetScreen, Screen>()

/** At once where it has been open before. */
export const loadedScreen = (name: CabinetScreen): Screen | undefined => loaded.get(name)

export const loadScreen = async (name: CabinetScreen): Promise<Screen> => {
  const more = firstScreens.includes(name) ? undefined : import('./more.ts').then(({ style }) => style)
  const [module] = await Promise.all([files[name](), more])
  await module.style
  loaded.set(name, module.default as Screen)
  return module.default as Screen
}
