import { inject } from 'vitest'
import './global-setup.ts'

/** The superuser's URL of the run's private cluster; null without PostgreSQL or outside its projects. */
export function postgresAdminUrl(): string | null {
  return inject('postgresAdminUrl') ?? null
}
