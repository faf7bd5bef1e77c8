/** For tests: the command line in this process with its world captured, and as a child process on the built bundle. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach } from 'vitest'
import { run } from '../../../../src/server/cli/run.ts'

const BINARY = fileURLToPath(new URL('../../../../dist/main.js', import.meta.url))

export interface Finished {
  readonly code: number
  readonly out: string
  readonly notes: string
}

export interface TestInstallation {
  readonly folder: string
  readonly database: string
  readonly environment: Readonly<Record<string, string>>
  cli(args: readonly string[], environment?: Readonly<Record<string, string>>): Promise<Finished>
  json(args: readonly string[], environment?: Readonly<Record<string, string>>): Promise<Record<string, unknown>>
  remove(): void
}

export function testInstallation(): TestInstallation {
  const folder = mkdtempSync(join(tmpdir(), 'pilotwire-cli-'))
  const database = join(folder, 'pilotwire.db')
  const environment = { PILOTWIRE_DATABASE_URL: `file:${database}`, PILOTWIRE_PORT: '0' }
  const cli = async (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Finished> => {
    const out: string[] = []
    const notes: string[] = []
    const code = await run(args, {
      environment: { ...environment, ...more },
      out: (text) => out.push(text),
      note: (text) => notes.push(text),
      now: () => Date.now(),
      random: randomBytes,
      terminal: false,
    })
    return { code, out: out.join('\n'), notes: notes.join('\n') }
  }
  return {
    folder,
    database,
    environment,
    cli,
    async json(args, more) {
      const { code, out, notes } = await cli([...args, '--json'], more)
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${notes}`)
      return JSON.parse(out) as Record<string, unknown>
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** One for each test of the file, with an account, gone behind it. */
export function installationOfEachTest(account: string): TestInstallation {
  let installation: TestInstallation
  beforeEach(async () => {
    installation = testInstallation()
    await installation.json(['account', 'create', '--name', account])
  })
  afterEach(() => installation.remove())
  return new Proxy({} as TestInstallation, { get: (_, name: keyof TestInstallation) => installation[name] })
}

export interface Child {
  readonly process: ChildProcessWithoutNullStreams
  /** The first line on stdout; rejects with stderr when the process ends without one. */
  readonly firstLine: Promise<string>
  readonly ended: Promise<Finished>
  noted(text: string): Promise<void>
}

/** The built binary in its own process; its environment is the given variables and PATH. `uid`: for root alone. */
export function startCli(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  folder: string = tmpdir(),
  uid?: number,
): Child {
  const child = spawn(process.execPath, [BINARY, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
    uid,
  })
  let out = ''
  let notes = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    notes += chunk.toString()
  })
  const ended = new Promise<Finished>((resolve) => {
    child.on('close', (code) => resolve({ code: code ?? -1, out, notes }))
  })
  const firstLine = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    void ended.then(({ code }) => reject(new Error(`The process ended with ${code}: ${notes}`)))
  })
  // Whoever waits for the end alone need not care about the first line.
  firstLine.catch(() => {})
  const noted = async (text: string): Promise<void> => {
    while (!notes.includes(text)) await once(child.stderr, 'data')
  }
  return { process: child, firstLine, ended, noted }
}
