import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** The built specimen of the kit, under a policy as strict as the cabinet's. */

const folder = join(import.meta.dirname, '../../apps/web/dist/specimen')

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'"

const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' }

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
}

const pageIn = (language: string): string => {
  const manifest: Record<string, Chunk> = JSON.parse(
    readFileSync(join(folder, language, 'manifest.json'), 'utf8'),
  )
  const files = Object.values(manifest)
  const script = files.find(({ isEntry }) => isEntry)?.file
  const style = files.find(({ file }) => file.endsWith('.css'))?.file
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>Specimen</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/${language}/${style}"><script type="module" src="/${language}/${script}"></script></head>
<body><div id="root"></div></body></html>`
}

export const serveSpecimen = async (): Promise<{ readonly url: string; close(): void }> => {
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const language = path.slice(1, 3)
    response.setHeader('content-security-policy', policy)
    response.setHeader('referrer-policy', 'no-referrer')
    if (/^\/(ru|en)\/assets\/[\w.-]+$/.test(path)) {
      response.setHeader('content-type', types[path.split('.').at(-1) ?? ''] ?? 'text/plain')
      response.end(readFileSync(join(folder, path)))
      return
    }
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(pageIn(language))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
