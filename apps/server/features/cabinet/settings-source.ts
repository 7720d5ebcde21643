import type { CabinetSettingsCache } from '../../core/cabinet/cabinet-settings.ts'

/** What the operator decided: `latest` for pages, `lastSeen` for what belongs to a page. */
export type SettingsSource = Pick<CabinetSettingsCache, 'latest' | 'lastSeen'>
