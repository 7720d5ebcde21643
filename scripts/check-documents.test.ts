import { expect, test } from 'vitest'
import { checkDocument } from './check-documents.ts'

const paths = [
  'README.md',
  'docs/architecture.md',
  'apps/server/main.ts',
  'apps/server/db/core-types.ts',
  'apps/server/core/ledger',
  'apps/server/core/ledger/ledger.ts',
  'apps/server/features/configs',
  'apps/server/http/wire',
  'packages/contract/docs',
  'packages/contract/client',
  'packages/domain/vpn/awg-rules.ts',
]

const missing = (text: string, file = 'docs/a.md') =>
  checkDocument(file, text, paths).map(({ line, rule }) => `${line}: ${rule}`)

test.each([
  '`apps/server/main.ts`, and shorter `main.ts`',
  '`core/ledger`, `core/ledger/`, `core/ledger/ledger.ts#transfer`',
  '`domain/vpn/awg-rules` without its ending',
  '`db/*-types.ts`, `features/<part>/`, `packages/contract/{docs,client}`',
  'beside it `wire/`',
  '`/v1/configs`, `text/html`, `npm run check`, `https://a/b`, `DATA_DIR/mail`, `~/.cache`, `and/or else`',
  '[the map](architecture.md), [readme](../README.md), [site](https://example.com/a.md), [part](architecture.md#top)',
])('%s', (text) => {
  expect(missing(text)).toEqual([])
})

test.each([
  ['`core/kernel/ledger.ts`', '1: there is no core/kernel/ledger.ts'],
  ['\n`core/tokens.ts`', '2: there is no core/tokens.ts'],
  ['`furnishing.ts`', '1: there is no furnishing.ts'],
  ['`http/front-door.ts#open`', '1: there is no http/front-door.ts#open'],
  ['`packages/contract/{docs,web}`', '1: there is no packages/contract/{docs,web}'],
  ['`db/*-tables.ts`', '1: there is no db/*-tables.ts'],
  ['`door/`', '1: there is no door/'],
  ['[gone](gone.md)', '1: there is no gone.md'],
])('%j names what is not there', (text, told) => {
  expect(missing(text)).toEqual([told])
})

test('links are read from where the document lies', () => {
  expect(missing('[map](docs/architecture.md)', 'README.md')).toEqual([])
  expect(missing('[map](docs/architecture.md)')).toEqual(['1: there is no docs/architecture.md'])
})
