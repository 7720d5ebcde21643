#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { launch, start } from '../scripts/launch/launch.mjs'

const [command = 'help', ...args] = process.argv.slice(2)

/** What works on the database or the machine itself; everything else asks a running service. */
const local = JSON.parse(readFileSync(new URL('local-commands.json', import.meta.url), 'utf8'))

/** The first operator is made where the database is: that program sees whether there is a token to ask with. */
const isOfBoth = command === 'operator' && args[0] === 'create'

if (command === 'start') await start(args)
else if (command === 'bench') await launch(local.bench.program, args)
else if (isOfBoth) await launch('apps/server/cli.ts', [command, ...args])
else if (Object.hasOwn(local, command)) await launch(local[command].program, [command, ...args])
else await launch('apps/cli/main.ts', [command, ...args])
