import { expect, test } from 'vitest'
import { placeInYaml } from './yaml-places.ts'

const text = `mode: rule
proxy-groups:
  - name: A
    proxies:
      - $proxies
  - name: B
    type: select
rules:
- DOMAIN,a.example,DIRECT

- MATCH,Nobody
dns:
  enable: true`

test.each([
  ['Nested mappings are not allowed at line 4, column 7:', 4, 7],
  ['proxy-groups: one of them must have $proxies', 2, 1],
  ['proxy-groups[1].proxies: there is no proxy or group "X"', 6, 1],
  ['rules[1]: there is no proxy or group "Nobody"', 11, 1],
  ['rules[7]: must be a text', 8, 1],
  ['dns: must be an object', 12, 1],
])('%s', (problem, line, column) => {
  expect(placeInYaml(text, problem)).toEqual({ line, column })
})

test.each([
  'must be a mapping',
  'proxies: must be a list',
  'nests too deep',
])('%s means the whole', (problem) => {
  expect(placeInYaml(text, problem)).toBeUndefined()
})
