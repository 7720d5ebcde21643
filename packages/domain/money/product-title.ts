import type { PricingRuleType } from '@sallyport/contract/shapes'

/** What a personal price applies to, in the words customers see. */
const titles: Readonly<Record<PricingRuleType, { readonly ru: string; readonly en: string }>> = {
  all: { ru: 'Все товары', en: 'All products' },
  config: { ru: 'Конфигурация VPN', en: 'VPN configuration' },
  configs: { ru: 'Конфигурации VPN', en: 'VPN configurations' },
  cloud_server: { ru: 'Облачный сервер', en: 'Cloud server' },
  cloud_servers: { ru: 'Облачные серверы', en: 'Cloud servers' },
  paid_option: { ru: 'Платная опция', en: 'Paid option' },
  paid_options: { ru: 'Платные опции', en: 'Paid options' },
}

export const productTitle = (type: PricingRuleType, language: 'ru' | 'en'): string => titles[type][language]
