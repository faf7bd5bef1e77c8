#!/usr/bin/env node
/** The binary: gives the command line the real world and ends with its exit code. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { CliContext } from './cli/context.ts'
import { run } from './cli/run.ts'

const context: CliContext = {
  environment: { ...(existsSync('.env') && parseEnv(readFileSync('.env', 'utf8'))), ...process.env },
  out: (text) => void process.stdout.write(`${text}\n`),
  note: (text) => void process.stderr.write(`${text}\n`),
  now: () => Date.now(),
  random: randomBytes,
  terminal: process.stderr.isTTY === true,
}

// A reader such as `head` may close our output: that is the end of the job, not a fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
const code = await run(process.argv.slice(2), context)
// A start that failed halfway may have threads running; what was answered is on disk, so nothing needs them.
if (code !== 0) process.exit(code)
