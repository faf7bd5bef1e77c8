import { existsSync, readFileSync, rmSync } from 'node:fs'
import type { Command } from 'commander'
import { afterAll, expect, it } from 'vitest'
import { testInstallation } from '../../../test/support/server/cli/testing.ts'
import { createProgram } from './run.ts'

const installation = testInstallation()
afterAll(() => installation.remove())

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
}

function help(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp()
  return text
}

const program = await createProgram({
  environment: {},
  out: () => {},
  note: () => {},
  now: () => 0,
  random: (bytes) => Buffer.alloc(bytes),
  terminal: false,
})

it('SERVER-B1: the command line: has every command', () => {
  const names = leaves(program).map(
    (leaf) => `${leaf.parent === program ? '' : `${leaf.parent?.name()} `}${leaf.name()}`,
  )
  expect(names).toEqual(
    expect.arrayContaining([
      'serve',
      'simulate',
      'account create',
      'account list',
      'user create',
      'user list',
      'user disable',
      'credential create',
      'credential list',
      'credential revoke',
      'charge-point add',
      'charge-point list',
      'charge-point set-password',
      'commands export',
      'backup',
      'doctor',
      'config print',
    ]),
  )
})

it.each(leaves(program).map((leaf) => [leaf.name(), leaf] as const))(
  'SERVER-B1: %s explains itself with examples',
  (_, leaf) => {
    const text = help(leaf)
    expect(leaf.description()).not.toBe('')
    for (const example of text.match(/^ +\$ .*$/gm) ?? []) {
      for (const flag of example.match(/(?<= )--[a-z-]+/g) ?? []) expect(text.split('Examples:')[0]).toContain(flag)
    }
  },
)

it('SERVER-B1: the command line: --help and --version are data and end with 0', async () => {
  expect(await installation.cli(['--help'])).toMatchObject({
    code: 0,
    notes: '',
    out: expect.stringContaining('Usage:'),
  })
  expect(await installation.cli(['--version'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+/),
  })
  for (const args of [['user', 'create', '--help'], ['help', 'user', 'create'], ['help']]) {
    expect(await installation.cli(args)).toMatchObject({ code: 0, notes: '', out: expect.stringContaining('Usage:') })
  }
})

it.each([
  [['serv'], /Did you mean serve/],
  [['user', 'crate'], /Did you mean create/],
  [['user', 'create'], /--email/],
  [['user', 'create', '--email', 'ada'], /no e-mail address/],
  [['user', 'create', '--email', 'a@b.c', '--role', 'king'], /administrator, operator, viewer, member/],
  [['user', 'create', '--email', 'a@b.c', '--password', 'x', '--password-file', 'y'], /not both/],
  [['user', 'create', '--email', 'a@b.c', '--password-file', '/does/not/exist'], /cannot be read/],
  [['account', 'create', '--name', ' '], /no usable name/],
  [['credential', 'create', '--name', 'x', '--expires', 'yesterday'], /time to come/],
  [['credential', 'create', '--name', 'x', '--expires', '2020-01-01T00:00:00Z'], /time to come/],
  [['charge-point', 'add', 'a\u0007b'], /control or invisible characters/],
  [['charge-point', 'add', 'x'.repeat(256)], /at most 255 characters/],
  [['help', 'nope'], /unknown command 'nope'/],
  [['help', 'user', 'nope'], /unknown command 'nope'/],
  [['doctor', '--jsn'], /Did you mean --json/],
  [[], /Usage/],
])('SERVER-B1: the command line: %j ends with 2 and says what is wrong', async (args, sentence) => {
  const { code, out, notes } = await installation.cli(args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(notes).toMatch(sentence)
})

it('SERVER-B1: the command line: a wrong setting ends with 3 and names every fault and every unknown name at once', async () => {
  const wrong = { PILOTWIRE_PORT: 'x', PILOTWIRE_MODE: 'prod', PILOTWIRE_HOTS: 'y' }
  for (const args of [
    ['account', 'list'],
    ['account', 'create', '--name', 'x'],
    ['serve'],
    ['config', 'print'],
    ['backup', 'x'],
  ]) {
    const { code, out, notes } = await installation.cli(args, wrong)
    expect({ args, code, out }).toEqual({ args, code: 3, out: '' })
    expect(notes).toMatch(/PILOTWIRE_PORT is "x".*\nPILOTWIRE_MODE is "prod"/)
    expect(notes).toContain('did you mean PILOTWIRE_HOST?')
  }
})

it('SERVER-B1: the command line: commands that only look make no database', async () => {
  const nowhere = { PILOTWIRE_DATABASE_URL: `file:${installation.folder}/none.db` }
  expect(await installation.cli(['account', 'list'], nowhere)).toMatchObject({
    code: 1,
    out: '',
    notes: expect.stringContaining('There is no database'),
  })
})

it('SERVER-A1: config print: prints every setting with its origin, and no secret', async () => {
  const { code, out } = await installation.cli(['config', 'print', '--json'], {
    PILOTWIRE_ADMIN_PASSWORD: 'correct horse',
  })
  expect(code).toBe(0)
  expect(out).not.toContain('correct horse')
  const rows = JSON.parse(out) as { name: string; value?: string; origin: string }[]
  expect(rows).toContainEqual({ name: 'PILOTWIRE_PORT', value: '0', origin: 'environment' })
  expect(rows).toContainEqual({ name: 'PILOTWIRE_MODE', value: 'development', origin: 'default' })
  expect(rows).toContainEqual({ name: 'PILOTWIRE_ADMIN_PASSWORD', value: '(hidden)', origin: 'environment' })
  expect((await installation.cli(['config', 'print'])).out).toMatch(/^PILOTWIRE_MODE +development +default$/m)
})

it('SERVER-A1: config print: says where a generated secret key is kept, and never the key', async () => {
  const own = testInstallation()
  const keyOf = async (environment: Record<string, string> = {}) => {
    const { out } = await own.cli(['config', 'print', '--json'], environment)
    const rows = JSON.parse(out) as { readonly name: string; readonly value?: string; readonly origin: string }[]
    return rows.find(({ name }) => name === 'PILOTWIRE_SECRET_KEY')
  }
  const name = 'PILOTWIRE_SECRET_KEY'
  const file = `${own.database}.key`
  expect(await keyOf()).toEqual({ name, origin: `the first start will generate it into ${file}` })
  expect(existsSync(file)).toBe(false)
  await own.json(['account', 'create', '--name', 'A'])
  expect(await keyOf()).toEqual({ name, value: '(hidden)', origin: `${file}, generated at the first start` })
  expect((await own.cli(['config', 'print'])).out).not.toContain(readFileSync(file, 'utf8').trim())
  const given = Buffer.alloc(32, 7).toString('base64')
  expect(await keyOf({ [name]: given })).toEqual({ name, value: '(hidden)', origin: 'environment' })
  rmSync(file)
  expect(await keyOf()).toEqual({ name, origin: `missing: it was kept in ${file}` })
  own.remove()
})
