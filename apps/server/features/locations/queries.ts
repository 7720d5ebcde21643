import type { Selectable } from 'kysely'
import { prepared } from '../../db/client.ts'
import type { Tables } from '../../db/types.ts'

type Location = Pick<
  Selectable<Tables['locations']>,
  | 'id'
  | 'code'
  | 'title_ru'
  | 'title_en'
  | 'description_ru'
  | 'description_en'
  | 'caption_ru'
  | 'caption_en'
  | 'is_active'
  | 'ping_ip'
>

export const listLocations = prepared<[], Location>(`
  select id, code, title_ru, title_en, description_ru, description_en, caption_ru, caption_en, is_active, ping_ip
  from locations where deleted_at is null order by id`)
