import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawingProblem } from './drawing.ts'
import { logoProblem, mostLogoBytes } from './logo.ts'

const svg = (inside: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"${attributes}>${inside}</svg>`

describe('drawings', () => {
  test.each([
    ['shapes', svg('<circle cx="4" cy="4" r="4" fill="#0b57d0"/>')],
    ['an empty one', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    [
      'a declaration, a comment and an end of line',
      `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- mine -->\n${svg('<g/>')}\n`,
    ],
    ['a mark of byte order', `\ufeff${svg('')}`],
    [
      'a gradient of its own',
      svg(
        '<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs><path fill="url(#a)" d="M0 0h8"/>',
      ),
    ],
    [
      'a use of its own',
      svg(
        '<path id="p" d="M0 0"/><use href="#p"/><use xlink:href="#p" xml:space="preserve"/>',
        ' xmlns:xlink="http://www.w3.org/1999/xlink"',
      ),
    ],
    ['a sheet', svg('<style>.a{fill:url( "#b" )}</style><style><![CDATA[.b > .c{fill:red}]]></style>')],
    ['text with what must be escaped', svg('<title>A &amp; B &#233;&#xe9;</title><text>&lt;</text>')],
    ['single quotes and signs in them', "<svg xmlns='http://www.w3.org/2000/svg'><path d='M0>0'/></svg>"],
    ['effects of its own', svg('<filter id="f"/><path filter="url(#f) blur(1px)" mask="url( \'#m\' )"/>')],
    ['an empty sheet', svg('<style/><g/>')],
    ['effects', svg('<filter id="f"><feGaussianBlur stdDeviation="1"/></filter>')],
  ])('%s', (_name, drawing) => expect(drawingProblem(drawing)).toBe(null))

  test.each([
    ['no drawing', ''],
    ['text', 'hello'],
    ['a page', '<html><body/></html>'],
    ['without its namespace, which no image shows', '<svg viewBox="0 0 1 1"/>'],
    ['cut off', svg('<g>').replace('</svg>', '')],
    ['wrongly nested', svg('<g><path></g></path>')],
    ['two of them', svg('') + svg('')],
    ['text behind it', `${svg('')}more`],
    ['an attribute without quotes', svg('<path d=M0/>')],
    ['an attribute twice', svg('<path d="" d=""/>')],
    ['a prefix that was not declared', svg('<path id="p"/><use xlink:href="#p"/>')],
    ['a bare sign', svg('<text>a & b</text>')],
    ['a doctype', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`],
    ['an entity that nobody named', svg('<text>&nbsp;</text>')],
    ['another instruction', `<?xml-stylesheet href="https://e.example/a.css"?>${svg('')}`],
    ['an instruction inside', svg('<?php echo 1 ?>')],
    ['a control character', svg('<text>\u0001</text>')],
    ['another encoding', `<?xml version="1.0" encoding="utf-7"?>${svg('')}`],

    ['a script', svg('<script>alert(1)</script>')],
    ['a script under another name', svg('<x:script xmlns:x="http://www.w3.org/2000/svg"/>')],
    ['a script in other letters', svg('<SCRIPT/>')],
    ['a script of a page', svg('<h:script xmlns:h="http://www.w3.org/1999/xhtml">1</h:script>')],
    ['foreign objects', svg('<foreignObject><body/></foreignObject>')],
    ['a frame', svg('<iframe src="https://e.example"/>')],
    ['a picture', svg('<image href="https://e.example/a.png"/>')],
    ['a link', svg('<a href="#"><path/></a>')],
    ['an animation', svg('<set attributeName="href" to="https://e.example"/>')],
    ['a handler', svg('', ' onload="alert(1)"')],
    ['a handler in other letters', svg('<path ONCLICK="alert(1)"/>')],
    ['a handler on a line of its own', svg('<path\nonclick = "alert(1)"/>')],
    ['a use of another file', svg('<use href="https://e.example/a.svg#b"/>')],
    [
      'a use of another file, the old way',
      svg('<use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="other.svg#b"/>'),
    ],
    ['a use of data', svg('<use href="data:image/svg+xml;base64,AAAA#b"/>')],
    ['a script in a link', svg('<use href="javascript:alert(1)"/>')],
    ['a hidden script in a link', svg('<use href="java&#115;cript:alert(1)"/>')],
    ['a base', svg('<g xml:base="https://e.example/"/>')],
    ['a fill from elsewhere', svg('<path fill="url(https://e.example/#a)"/>')],
    ['a quoted fill from elsewhere', svg(`<path fill="url( 'https://e.example/#a')"/>`)],
    ['a hidden fill from elsewhere', svg('<path fill="u&#114;l(//e.example/#a)"/>')],
    ['a style from elsewhere', svg('<path style="fill:url(//e.example)"/>')],
    ['a sheet that imports', svg('<style>@import "https://e.example/a.css";</style>')],
    ['a sheet that imports in two parts', svg('<style>@imp<!-- -->ort "//e.example"</style>')],
    ['a sheet that imports in raw parts', svg('<style>@imp<![CDATA[ort "//e.example"]]></style>')],
    ['a sheet with an escape', svg('<style>.a{fill:\\75rl(//e.example)}</style>')],
    ['a sheet with a set of images', svg('<style>.a{background:image-set("a.png" 1x)}</style>')],
    ['a sheet that imports around an element', svg('<style>@im<g></g>port "//e.example";</style>')],
    ['a sheet that fills around an element', svg('<style>.a{fill:ur<g></g>l(//e.example)}</style>')],
    ['a sheet around an empty element', svg('<style>.a{fill:ur<g/>l(//e.example)}</style>')],
    ['an element in a sheet', svg('<style><title>a</title></style>')],
    ['a sheet in a sheet', svg('<style>@im<style></style>port "//e.example";</style>')],
    ['a sheet with two images', svg('<style>.a{mask:cross-fade("a.png", "b.png")}</style>')],
    ['an effect from elsewhere', svg('<path filter="src(//e)"/>')],
    ['a mask from elsewhere', svg(`<path mask="image('//e')"/>`)],
    ['a mask from a set of images', svg(`<path mask="-webkit-image-set('//e' 1x)"/>`)],
    ['a mask from two images', svg(`<path mask="cross-fade('//e', red)"/>`)],
    ['a fill with an escape', svg('<path fill="\\75rl(//e)"/>')],
    ['a fill of its own and one from elsewhere', svg('<path filter="url(#a) url(//e#b)"/>')],
    ['a font from elsewhere', svg('<style>@font-face{src:url(https://e.example/f)}</style>')],
  ])('are refused: %s', (_name, drawing) => expect(drawingProblem(drawing)).toBeTypeOf('string'))

  test('say what stands in the way', () => {
    expect(drawingProblem(svg('<script/>'))).toContain('<script>')
    expect(drawingProblem(svg('<g onclick="x"/>'))).toContain('onclick')
    expect(drawingProblem(svg('<use href="a.svg"/>'))).toContain('href')
  })

  test('whatever comes is judged soon', () => {
    const pieces = [
      '<',
      '>',
      '/',
      '"',
      "'",
      ' ',
      '=',
      'a',
      'svg',
      'style',
      '&',
      ';',
      '<!--',
      '-->',
      '<![CDATA[',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 400 }), (found) => {
        drawingProblem(found.join(''))
      }),
    )
    for (const piece of [...pieces, '<g>', ' a=""', 'url(', '&#1;']) {
      const began = performance.now()
      drawingProblem(svg(piece.repeat(mostLogoBytes / piece.length)))
      drawingProblem(`<svg ${piece.repeat(mostLogoBytes / piece.length)}`)
      expect(performance.now() - began, piece).toBeLessThan(1000)
    }
  })
})

const chunk = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
}

const png = (width: number, height: number): Buffer => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const pixels = deflateSync(Buffer.alloc(1))
  const parts = [chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
}

const webp = (kind: string, data: Buffer): Buffer => {
  const bytes = Buffer.concat([Buffer.from(`RIFF----WEBP${kind}----`), data])
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.writeUInt32LE(data.length, 16)
  return bytes
}
const lossy = (width: number, height: number): Buffer => {
  const data = Buffer.from('000000' + '9d012a' + '00000000', 'hex')
  data.writeUInt16LE(width, 6)
  data.writeUInt16LE(height, 8)
  return webp('VP8 ', data)
}
const lossless = (width: number, height: number): Buffer => {
  const data = Buffer.alloc(10)
  data[0] = 0x2f
  data.writeUInt32LE((width - 1) | ((height - 1) << 14), 1)
  return webp('VP8L', data)
}
const extended = (width: number, height: number): Buffer => {
  const data = Buffer.alloc(10)
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return webp('VP8X', data)
}

describe('pictures', () => {
  test.each([
    ['png', 'image/png', png],
    ['lossy webp', 'image/webp', lossy],
    ['lossless webp', 'image/webp', lossless],
    ['extended webp', 'image/webp', extended],
  ] as const)('%s is taken up to 1024 a side', (_name, type, made) => {
    expect(logoProblem(type, made(1, 1))).toBe(null)
    expect(logoProblem(type, made(1024, 1024))).toBe(null)
    expect(logoProblem(type, made(1025, 8))).toBe('is 1025 × 8, and may be 1024 × 1024 at most')
    expect(logoProblem(type, made(8, 1025))).toContain('is 8 × 1025')
    expect(logoProblem(type, made(8, 8).subarray(0, -1))).toContain('is not a whole')
    expect(logoProblem(type, Buffer.alloc(0))).toContain('is not a whole')
  })

  test('what is no picture, or another one, is refused', () => {
    expect(logoProblem('image/png', lossy(8, 8))).toBe('is not a whole PNG picture')
    expect(logoProblem('image/webp', png(8, 8))).toBe('is not a whole WebP picture')
    expect(logoProblem('image/webp', Buffer.concat([lossy(8, 8), Buffer.alloc(2)]))).toContain(
      'is not a whole',
    )
    expect(logoProblem('image/png', png(0, 8))).toContain('is 0 × 8')
    expect(logoProblem('image/webp', webp('VP9 ', Buffer.alloc(10)))).toContain('is not a whole')
    expect(logoProblem('image/svg+xml', png(8, 8))).toBe('must be in UTF-8')
    expect(logoProblem('image/svg+xml', Buffer.from('<p>'))).toContain('must not have <p>')
  })

  test('8 KiB are taken, and one byte more is not', () => {
    const filled = (size: number) => {
      const empty = svg('<text></text>')
      return Buffer.from(empty.replace('><', `>${'x'.repeat(size - empty.length)}<`))
    }
    expect(filled(mostLogoBytes)).toHaveLength(mostLogoBytes)
    expect(logoProblem('image/svg+xml', filled(mostLogoBytes))).toBe(null)
    expect(logoProblem('image/svg+xml', filled(mostLogoBytes + 1))).toContain('is 8193 bytes')
  })

  test('whatever bytes come are judged', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        for (const type of ['image/png', 'image/webp', 'image/svg+xml'] as const)
          expect(logoProblem(type, Buffer.from(bytes))).not.toBe(undefined)
      }),
    )
  })
})
