#!/usr/bin/env node
import { launch } from '../scripts/launch.mjs'

const args = process.argv.slice(2)
await launch('apps/server/cli.ts', args.length > 0 ? args : ['help'])
