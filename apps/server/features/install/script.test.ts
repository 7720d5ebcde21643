import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { Kit } from './kit.ts'
import { installScript, quoted, refusalScript, scriptHead } from './script.ts'

const file = (place: string, mode: '755' | '644', digit: string) => ({
  ...{ place, mode, sha256: digit.repeat(64), bytes: 2_000_000 },
  ...{ compressedBytes: 1_000_000, path: '' },
})

const kit: Kit = {
  release: '0123456789abcdef',
  machine: 'x86_64',
  files: [file('agent.mjs', '644', 'a'), file('node', '755', 'b'), file('bin/xray', '755', 'c')],
  engines: [{ place: 'bin/xray', version: '26.3.27' }],
  missing: ["mtg is not installed: it's\n missing."],
}

const url = 'https://vpn.example.com'

/** What a shell makes of the script with these arguments, as nobody in particular. */
const run = (script: string, args: readonly string[], env: Record<string, string> = {}, shell = 'sh') => {
  const { stdout, stderr, status } = spawnSync(shell, ['-s', '--', ...args], {
    input: script,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  return { stdout, stderr, status }
}

test('the head names the service, the release and every checksum', () => {
  expect(scriptHead(kit, url)).toBe(`#!/bin/sh
# Installs the Sallyport node agent. --help says how.
set -eu
PATH=$PATH:/usr/sbin:/sbin
SERVICE_URL='https://vpn.example.com'
RELEASE=0123456789abcdef
MACHINE=x86_64
NEEDED_KB=109000
# Checksum, mode and place of each file.
FILES='${'a'.repeat(64)} 644 agent.mjs
${'b'.repeat(64)} 755 node
${'c'.repeat(64)} 755 bin/xray'
ENGINES='bin/xray 26.3.27'
MISSING='mtg is not installed: it'\\''s missing.'
`)
})

test('it is POSIX shell, and acts in its last line only', async () => {
  const script = await installScript(kit, url)
  for (const shell of ['dash', 'bash --posix', 'busybox sh']) {
    const [program = '', ...args] = shell.split(' ')
    if (spawnSync(program, [...args, '-c', 'true']).status !== 0) continue
    expect(run(script, [], {}, program).stderr, shell).not.toContain('yntax')
    await promisify(execFile)('sh', ['-c', `printf %s "$0" | ${shell} -n`, script])
  }
  const lines = script.trimEnd().split('\n')
  expect(lines.at(-1)).toBe('main "$@" </dev/null')
  const cut = lines.slice(0, -1).join('\n')
  expect(run(cut, ['--help'])).toEqual({ stdout: '', stderr: '', status: 0 })
})

test('its text has no bashisms and no address but that of the service', async () => {
  const script = await installScript(kit, url)
  expect(script).not.toMatch(/\[\[|\bfunction \w|\blocal \w|<<<|\$'|\becho -e|\bsource /)
  expect([...new Set(script.match(/https?:\/\/[^\s'"/$]+/g))]).toEqual([url])
})

test('--help says how, and nothing is done', async () => {
  const { stdout, status } = run(await installScript(kit, url), ['--help'])
  expect(status).toBe(0)
  expect(stdout).toContain('curl -fsSL https://vpn.example.com/install/agent | SALLYPORT_ENROL_TOKEN=… sh')
})

test.each([
  [['--token'], '--token needs a value'],
  [['--token', "x'y"], 'the token has characters that no token has; copy it again'],
  [['--release'], '--release needs a value'],
  [
    ['--release', '../etc'],
    'a release is named by digits and the letters a to f; ls /opt/sallyport-agent shows them',
  ],
  [['--nonsense'], '--nonsense is not an option; --help names them'],
  [['--purge'], '--purge goes with --uninstall'],
])('%j is refused in one line', async (args, line) => {
  const { stdout, stderr, status } = run(await installScript(kit, url), args)
  expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: `sallyport-agent: ${line}\n`, status: 1 })
})

test('another system is refused in one line', async () => {
  const script = await installScript(kit, url)
  const { stderr, status } = run(`uname() { echo Darwin; }\n${script}`, [])
  expect([stderr, status]).toEqual(['sallyport-agent: this needs Linux, and this machine runs Darwin\n', 1])
})

/** As on a machine that is fit for it and was never one of ours. */
const elsewhere = ['rights', 'distribution', 'machine', 'service'].map((what) => `check_${what}() { :; }\n`)

test('--dry-run tells without a token what would be done, and installing does not begin without one', async () => {
  const lines = (await installScript(kit, url)).trimEnd().split('\n').slice(0, -1)
  const script = [...lines, ...elsewhere, 'state=/nowhere base=/nowhere', 'take_lock() { say locked; }']
  const told = run([...script, 'main --dry-run'].join('\n'), [])
  expect(told.status, told.stderr).toBe(0)
  expect(told.stdout).toContain('To download: agent.mjs\n')
  expect(told.stdout).toContain('To install, a token is needed')
  expect(told.stdout).toMatch(/Nothing was done\.\n$/)
  const begun = run([...script, 'main'].join('\n'), [])
  expect([begun.status, begun.stdout]).toEqual([1, ''])
  expect(begun.stderr).toContain('this machine is not enrolled')
  const withToken = run([...script, 'main --dry-run --token abc'].join('\n'), [])
  expect(withToken.stdout).not.toContain('a token is needed')
})

test('going back takes what is on the machine, and needs no room for more', async () => {
  const lines = (await installScript(kit, url)).trimEnd().split('\n').slice(0, -1)
  const steps = ['install_packages', 'check_service', 'write_settings', 'restart_agent', 'forget_old']
  const stand = [
    ...steps.map((name) => `${name}() { :; }`),
    'stage_release() { say staged; }',
    'use_release() { say "uses $1"; changed=yes; }',
    'wait_until_ready() { :; }',
    'mkdir "$base/aaaaaaaaaaaaaaaa"; : >"$base/aaaaaaaaaaaaaaaa/agent.mjs"',
  ]
  const go = (release: string) => {
    const base = mkdtempSync(join(tmpdir(), 'sallyport-script-'))
    onTestFinished(() => rmSync(base, { recursive: true }))
    const work = [`base=${quoted(base)}`, ...stand, `read_arguments --release ${release}`, 'install_agent']
    return run([...lines, ...work].join('\n'), [])
  }
  expect(go('aaaaaaaaaaaaaaaa').stdout).toContain('uses aaaaaaaaaaaaaaaa\nStarting release aaaaaaaaaaaaaaaa')
  expect(go(kit.release).stdout).toContain(`staged\nuses ${kit.release}\n`)
  expect(go('bbbbbbbbbbbbbbbb')).toMatchObject({
    status: 1,
    stderr: `sallyport-agent: release bbbbbbbbbbbbbbbb is not on this machine, and the service hands out ${kit.release}\n`,
  })
})

test('a refusal is a script too', () => {
  expect(run(refusalScript("it's\nnot ready"), [])).toEqual({
    stdout: '',
    stderr: "sallyport-agent: it's not ready\n",
    status: 1,
  })
})

test.each(['', 'plain', "it's", '$(id) `id` "x" \\'])('%j is one word for the shell', (text) => {
  expect(run(`printf %s ${quoted(text)}`, []).stdout).toBe(text)
})
