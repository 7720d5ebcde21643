#!/usr/bin/env node
import { launch } from '../scripts/launch.mjs'

const [command = 'help', ...args] = process.argv.slice(2)
if (command === 'bench') await launch('bench/main.ts', args)
else await launch('apps/server/cli.ts', [command, ...args])
