import { expect, test } from 'vitest'
// @ts-expect-error: plain JavaScript, which runs before anything is installed.
import { npmCommand } from './install.mjs'

const npm = '/usr/lib/node_modules/npm/bin/npm-cli.js'
const own = '/app/node_modules/node/bin/node'

test.each([
  ['the Node that runs this', '/usr/bin/node', { npm_execpath: npm }, ['/usr/bin/node', npm]],
  ['npm’s own', own, { npm_execpath: npm, npm_node_execpath: '/opt/node' }, ['/opt/node', npm]],
  ['whatever npm finds', own, { npm_execpath: npm, npm_node_execpath: own }, ['npm']],
  ['whatever npm finds, without npm', '/usr/bin/node', {}, ['npm']],
])('an install, which takes its own Node away, runs on %s', (_name, execPath, env, command) => {
  expect(npmCommand('/app', { env, execPath })).toEqual(command)
})
