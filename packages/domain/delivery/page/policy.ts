import { hash } from 'node:crypto'
import { openScript, script } from './script.ts'
import { style } from './style.ts'

const hashOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

export const pageHashes = {
  style: hashOf(style),
  script: hashOf(script),
  openScript: hashOf(openScript),
} as const

/** Our own style and scripts, known by their hashes, pictures that are part of the page, our icon, and nothing else from anywhere. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src ${pageHashes.style}`,
  `script-src ${pageHashes.script} ${pageHashes.openScript}`,
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
