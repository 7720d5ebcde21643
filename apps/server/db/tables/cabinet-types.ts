import type { LogoType } from '@sallyport/contract/operator/cabinet'
import type { Generated } from 'kysely'

/** The table about what an operator decides about the cabinet. */

export interface CabinetTables {
  cabinet_settings: {
    is_only: Generated<boolean>
    version: Generated<number>
    accent: string | null
    welcome_ru: string | null
    welcome_en: string | null
    rules_ru: string | null
    rules_en: string | null
    mirrors: Generated<string[]>
    closes_connections: Generated<boolean>
    logo: Uint8Array | null
    logo_type: LogoType | null
  }
}
