#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { launch } from '../scripts/launch.mjs'

const [command = 'help', ...args] = process.argv.slice(2)

/** What works on the database or the machine itself; everything else asks a running service. */
const local = ['start', 'setup', 'migrate', 'agent', 'engines']

const login = join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'sallyport', 'login.json')
/** Who has no token yet makes the first one where the database is. */
const makesFirstOperator = () =>
  command === 'operator' && args[0] === 'create' && !process.env.SALLYPORT_TOKEN && !existsSync(login)

if (command === 'bench') await launch('bench/main.ts', args)
else if (local.includes(command) || makesFirstOperator())
  await launch('apps/server/cli.ts', [command, ...args])
else await launch('apps/cli/main.ts', [command, ...args])
