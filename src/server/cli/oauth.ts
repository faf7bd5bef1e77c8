import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { explain } from '../../oidc/explain/explain.ts'
import { visible } from '../visible-text.ts'
import { type CliContext, UsageError } from './cli-context.ts'
import { withReads } from './database.ts'
import { declare } from './declare.ts'
import type { JsonOption } from './output/print.ts'

const STANDARD_INPUT = 0

type ExplainOptions = { verifier?: string | undefined; redirectUri?: string | undefined } & JsonOption

export function register(program: Command, context: CliContext): void {
  const oauth = program.command('oauth').description('help for those who connect applications')
  declare(oauth, context, {
    usage: 'explain',
    does: 'explain what is wrong with an authorization address, or what happened to a code or token',
    takes: (command) =>
      command
        .argument('<text>', 'address, code or token; - reads it from standard input, past the shell’s history')
        // One code in 64 begins with a hyphen.
        .allowUnknownOption()
        .option('--verifier <verifier>', 'with a code: does this code_verifier fit?')
        .option('--redirect-uri <uri>', 'with a code: is it the one of the authorization request?'),
    examples: [
      'pilotwire oauth explain "http://localhost:8080/dashboard/oauth/authorize?client_id=…"',
      'pilotwire oauth explain - < code.txt',
    ],
    run: run,
  })
}

async function run(context: CliContext, given: string, { verifier, redirectUri, json }: ExplainOptions): Promise<void> {
  if (given.startsWith('--')) throw new UsageError(`unknown option '${given}'`)
  const text = given === '-' ? readFileSync(STANDARD_INPUT, 'utf8').trim() : given
  await withReads(context, async ({ reads, settings }) => {
    const question = { text, verifier, redirectUri }
    const explanation = await explain(reads, question, settings.baseUrl, context.now())
    if (json) return context.out(JSON.stringify(explanation))
    context.out(`${explanation.what}: ${explanation.usable ? 'usable' : 'not usable'}`)
    for (const finding of explanation.findings) context.out(visible(finding))
  })
}
