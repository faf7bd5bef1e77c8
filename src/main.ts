#!/usr/bin/env node
/** The binary: gives the command line the real world and ends with its exit code. */
import { randomBytes } from 'node:crypto'
import { type Environment, readEnvFile, readTextFile } from './config/read-settings.ts'
import { type CliContext, EXIT } from './server/cli/cli-context.ts'
import { run } from './server/cli/run.ts'

const context: CliContext = {
  environment: { ...fromEnvFile(), ...process.env },
  out: (text) => void process.stdout.write(`${text}\n`),
  note: (text) => void process.stderr.write(`${text}\n`),
  now: () => Date.now(),
  random: randomBytes,
  terminal: process.stderr.isTTY === true,
  outputTerminal: process.stdout.isTTY === true,
}

// A reader such as `head` may close our output: that is the end of the job, not a fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`error: the output cannot be written: ${error.message}\n`)
  process.exit(EXIT.failure)
})
// A closed reader of the log or a full disk must not end the server.
process.stderr.on('error', () => undefined)
const code = await run(process.argv.slice(2), context)
// A start that failed halfway may have threads running; what was answered is on disk, so nothing needs them.
if (code !== 0) process.exit(code)

function fromEnvFile(): Environment {
  try {
    return readEnvFile('.env', readTextFile)
  } catch (error) {
    process.stderr.write(`error: ${error instanceof Error ? error.message : error}\n`)
    process.exit(EXIT.configuration)
  }
}
