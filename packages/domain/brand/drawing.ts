/**
 * Whether an SVG may be a logo. Pages show it as an image, which runs nothing and asks nobody; whoever opens it by itself
 * is kept from that by a header. This refuses beforehand what would need either.
 */

/** What draws. Links, images, animations and whatever belongs to an editor do not. */
const elements = new Set(
  (
    'svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan textPath ' +
    'linearGradient radialGradient stop pattern clipPath mask marker filter style'
  ).split(' '),
)
const effect = /^fe[A-Z][A-Za-z]+$/

const namespace = 'http://www.w3.org/2000/svg'

const attribute = /\s+([\w:.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const part =
  /<!--[\s\S]*?-->|<!\[CDATA\[(?<raw>[\s\S]*?)\]\]>|<\/(?<closed>[\w:.-]+)\s*>|<(?<opened>[\w:.-]+)(?<attributes>(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<empty>\/?)>|(?<text>[^<]+)/y
const declaration =
  /^<\?xml\s+version\s*=\s*["']1\.[01]["'](?:\s+encoding\s*=\s*["'](?<encoding>[\w.-]+)["'])?[^<>?]*\?>/

const plainSvg = 'save it as plain SVG'
const notWhole = `is not a whole SVG drawing: ${plainSvg}`

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** As a browser reads it; undefined where it names what nobody has said. */
const decoded = (text: string): string | undefined => {
  let isKnown = true
  const read = text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w*));?/gi, (whole, hex, decimal, name) => {
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    if (whole.endsWith(';') && (hex || decimal) && code <= 0x10ffff) return String.fromCodePoint(code)
    const character = whole.endsWith(';') ? entities[name] : undefined
    if (character === undefined) isKnown = false
    return character ?? ''
  })
  return isKnown ? read : undefined
}

/**
 * Of every attribute and of styles, because most attributes are read as styles: url(#here) is the drawing's own, anything
 * else is somewhere else. With a backslash each of the names can be written in other letters.
 */
const leadsAway = (value: string): boolean =>
  /url\((?!\s*["']?#)|image-set|image\(|src\(|cross-fade\(|\\/i.test(value)
const stylesAway = (style: string): boolean => leadsAway(style) || /@import|https?:/i.test(style)

const attributeProblem = (name: string, value: string): string | null => {
  const own = name.replace(/^.*:/, '').toLowerCase()
  if (own.startsWith('on')) return `must not have ${name}: a logo does nothing`
  if (own === 'src' || own === 'base') return `must not have ${name}`
  if (own === 'href' && !value.trim().startsWith('#')) return `must not lead elsewhere (${name})`
  if (own === 'style' ? stylesAway(value) : leadsAway(value)) return `must not lead elsewhere (${name})`
  return null
}

/** Where the walk is: what is open, outermost first, and whether the drawing was there. */
interface Walk {
  readonly open: string[]
  /** Of names of attributes, that were declared. */
  readonly prefixes: Set<string>
  hasRoot: boolean
  /** All of the sheet that is open: comments and raw text cut it into parts, and browsers join them. */
  style: string
}

/** A prefix that nobody has said what it stands for: no browser shows such a drawing. */
const isUnknown = (name: string, { prefixes }: Walk): boolean =>
  name.includes(':') && !prefixes.has(name.replace(/:.*$/, ''))

const attributesProblem = (text: string, walk: Walk): string | null => {
  for (const [, prefix = ''] of text.matchAll(/\sxmlns:([\w.-]+)\s*=/g)) walk.prefixes.add(prefix)
  const seen = new Set<string>()
  attribute.lastIndex = 0
  for (let found = attribute.exec(text); found; found = attribute.exec(text)) {
    const [, name = '', double, single] = found
    const value = decoded(double ?? single ?? '')
    if (value === undefined || seen.has(name) || isUnknown(name, walk)) return notWhole
    seen.add(name)
    const problem = attributeProblem(name, value)
    if (problem !== null) return problem
  }
  return null
}

const isRoot = (name: string, attributes: string): boolean =>
  name === 'svg' && new RegExp(`\\sxmlns\\s*=\\s*["']${namespace}["']`).test(attributes)

const textProblem = (text: string, walk: Walk): string | null => {
  const inside = walk.open.at(-1)
  if (inside === undefined) return text.trim() === '' ? null : notWhole
  if (inside === 'style') walk.style += text
  return null
}

const closedProblem = (name: string, walk: Walk): string | null => {
  if (walk.open.pop() !== name) return notWhole
  const { style } = walk
  walk.style = ''
  return stylesAway(style) ? 'must not lead elsewhere (style)' : null
}

const openedProblem = (name: string, found: Readonly<Record<string, string>>, walk: Walk): string | null => {
  const { attributes = '', empty } = found
  if (!elements.has(name) && !effect.test(name))
    return `must not have <${name}>: a logo is shapes, text, gradients and masks; ${plainSvg}`
  // A sheet is joined of all its text by browsers, whatever stands between.
  if (walk.open.at(-1) === 'style') return 'must not have elements in <style>'
  if (walk.open.length === 0) {
    if (walk.hasRoot || !isRoot(name, attributes)) return notWhole
    walk.hasRoot = true
  }
  if (empty === '') walk.open.push(name)
  return attributesProblem(attributes, walk)
}

const partProblem = (found: Readonly<Record<string, string>>, walk: Walk): string | null => {
  const { opened, closed, raw, text } = found
  if (opened !== undefined) return openedProblem(opened, found, walk)
  if (closed !== undefined) return closedProblem(closed, walk)
  if (raw !== undefined) return textProblem(raw, walk)
  if (text === undefined) return null
  const read = decoded(text)
  return read === undefined ? notWhole : textProblem(read, walk)
}

/** Null when it may be shown. */
export const drawingProblem = (svg: string): string | null => {
  const body = svg.replace(/^\ufeff/, '')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffd]/.test(body)) return notWhole
  const declared = declaration.exec(body)
  if (declared && (declared.groups?.encoding ?? 'utf-8').toLowerCase() !== 'utf-8') return 'must be in UTF-8'
  const walk: Walk = { open: [], prefixes: new Set(['xml', 'xmlns']), hasRoot: false, style: '' }
  part.lastIndex = declared?.[0].length ?? 0
  while (part.lastIndex < body.length) {
    const found = part.exec(body)
    if (!found) return notWhole
    const problem = partProblem(found.groups ?? {}, walk)
    if (problem !== null) return problem
  }
  return walk.hasRoot && walk.open.length === 0 ? null : notWhole
}
