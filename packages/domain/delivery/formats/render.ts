import type { Language } from '../../text/language.ts'
import type { JsonObject } from '../../text/strict-json.ts'
import type { Format, Variant } from '../format.ts'
import { defaultTemplate, templateKindOf } from '../templates/template.ts'
import { clashConfig } from './clash/config.ts'
import { mihomoProxy } from './clash/mihomo.ts'
import { clashProxy } from './clash/old-clash.ts'
import { stashProxy } from './clash/stash.ts'
import { confFiles } from './conf.ts'
import type { Entry } from './entry.ts'
import { base64List, linkList } from './links.ts'
import { outlineAccess } from './outline.ts'
import { singBoxConfig } from './sing-box.ts'
import { xrayConfigs } from './xray.ts'

export interface RenderOptions {
  readonly language: Language
  /** Of Xray or sing-box; whatever is none of the format's own means the usual one. */
  readonly variant?: Variant | undefined
  /** As readTemplate gives it; without one, ours. */
  readonly template?: JsonObject | undefined
}

export interface Rendered {
  readonly body: string | Uint8Array
  readonly contentType: string
  readonly fileExtension: string
}

const plain = (body: string, fileExtension = 'txt'): Rendered => ({
  body,
  contentType: 'text/plain; charset=utf-8',
  fileExtension,
})
const json = (body: string): Rendered => ({
  body,
  contentType: 'application/json; charset=utf-8',
  fileExtension: 'json',
})
const yaml = (body: string): Rendered => ({
  body,
  contentType: 'text/yaml; charset=utf-8',
  fileExtension: 'yaml',
})

const conf = (body: string | Uint8Array): Rendered =>
  typeof body === 'string'
    ? plain(body, 'conf')
    : { body, contentType: 'application/zip', fileExtension: 'zip' }

/**
 * The subscription as an app reads it. The same entries and options are the same bytes. Where there is nothing to give,
 * the caller says why in a notice: without any entry, apps show an empty list or think that they are the ones to blame.
 */
export const renderFormat = (
  format: Format,
  entries: readonly Entry[],
  { language, variant, template: own }: RenderOptions,
): Rendered => {
  const kind = templateKindOf(format, variant)
  const template = own ?? (kind === null ? {} : defaultTemplate(kind))
  switch (format) {
    case 'base64':
      return plain(base64List(entries))
    case 'links':
      return plain(linkList(entries))
    case 'xray':
      return json(xrayConfigs(entries, template, variant === 'single' ? 'single' : 'list', language))
    case 'mihomo':
      return yaml(clashConfig(entries, template, language, mihomoProxy))
    case 'stash':
      return yaml(clashConfig(entries, template, language, stashProxy))
    case 'clash':
      return yaml(clashConfig(entries, template, language, clashProxy))
    case 'sing-box':
      return json(singBoxConfig(entries, template, language, variant === '1.11' ? '1.11' : '1.12'))
    case 'outline':
      return json(outlineAccess(entries, language))
    case 'conf':
      return conf(confFiles(entries, language))
  }
}
