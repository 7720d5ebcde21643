import { parse } from 'yaml'
import type { Format } from '../../format.ts'
import type { Rendered } from '../render.ts'
import { unzip } from './unzip.ts'

/** The titles that an app would show of what it was given, read as the app reads it. */

const linkTitle = (link: string): string => decodeURIComponent(new URL(link).hash.slice(1))

interface ClashRead {
  readonly proxies: readonly { readonly name: string }[]
  readonly 'proxy-groups': readonly { readonly proxies: readonly string[] }[]
}
interface SingBoxRead {
  readonly outbounds: readonly { readonly tag: string; readonly outbounds?: readonly string[] }[]
  readonly endpoints?: readonly { readonly tag: string }[]
}

/** In the order of the group, which is the customer's; each must have something behind its name. */
const listed = (group: readonly string[] | undefined, present: readonly string[]): string[] => {
  const titles = (group ?? []).filter((name) => name !== 'Auto')
  const missing = titles.find((title) => !present.includes(title))
  if (missing !== undefined) throw new Error(`${JSON.stringify(missing)} leads nowhere`)
  return titles
}

const confTitles = (body: string | Uint8Array): string[] => {
  const texts = typeof body === 'string' ? [body] : unzip(body).map(({ text }) => text)
  return texts.flatMap((text) =>
    text.split('\n').flatMap((line) => (line.startsWith('# ') ? [line.slice(2)] : [])),
  )
}

export const titlesIn = (format: Format, { body }: Rendered): string[] => {
  const text = String(body)
  switch (format) {
    case 'base64':
      return Buffer.from(text, 'base64').toString().split('\n').map(linkTitle)
    case 'links':
      return text.split('\n').map(linkTitle)
    case 'xray':
      return (JSON.parse(text) as { remarks: string }[]).map(({ remarks }) => remarks)
    case 'mihomo':
    case 'stash':
    case 'clash': {
      const { proxies, 'proxy-groups': groups } = parse(text) as ClashRead
      return listed(
        groups[0]?.proxies,
        proxies.map(({ name }) => name),
      )
    }
    case 'sing-box': {
      const { outbounds, endpoints = [] } = JSON.parse(text) as SingBoxRead
      return listed(
        outbounds[0]?.outbounds,
        [...outbounds, ...endpoints].map(({ tag }) => tag),
      )
    }
    case 'outline':
      return [(JSON.parse(text) as { error?: { message: string } }).error?.message ?? '']
    case 'conf':
      return confTitles(body)
  }
}
