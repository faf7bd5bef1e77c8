import type { Command } from 'commander'
import { secretKeyCheck } from '../../config/key-check.ts'
import { type KeyLife, keyLives } from '../../oidc/keys/lifecycle.ts'
import { createKeyRing } from '../../oidc/keys/ring.ts'
import { type CliContext, examples } from './cli-context.ts'
import { withAnyKey, withReads, withWrites } from './database.ts'
import { JSON_FLAG, type JsonOption, type Printable, printList, printObject, shownTime } from './output/print.ts'

export function register(program: Command, context: CliContext): void {
  const keys = program.command('keys').description('keys that sign ID tokens, and the secret key that protects them')
  examples(
    keys
      .command('list')
      .description('list the keys and their state: next, active or retired')
      .option(...JSON_FLAG),
    'pilotwire keys list',
  ).action((options: JsonOption) => list(context, options))
  examples(
    keys
      .command('rotate')
      .description('publish a new key now; it signs after five minutes, and tokens of the old one stay valid')
      .option(...JSON_FLAG),
    'pilotwire keys rotate',
  ).action((options: JsonOption) => rotate(context, options))
  examples(
    keys
      .command('accept-secret')
      .description('go on with the secret key that is set now, when the old one is lost for good')
      .option(...JSON_FLAG),
    'pilotwire keys accept-secret',
  ).action((options: JsonOption) => acceptSecret(context, options))
}

async function acceptSecret(context: CliContext, { json }: JsonOption): Promise<void> {
  await withAnyKey(context, async ({ path, reads, writes, config }) => {
    const check = secretKeyCheck(config.secretKey)
    const replaced = ((await reads.secretKeyCheck()) ?? check) !== check
    await writes.keepSecretKeyCheck(check, 'always')
    printObject(context, { database: path, replaced }, json)
    context.note(replaced ? MADE_ANEW : 'The database already has this key: nothing was changed.')
  })
}

const MADE_ANEW = [
  'What the old key protected is lost. Make these anew:',
  '  passwords of charge points   pilotwire charge-point set-password <id>',
  '  secrets of webhooks          POST /2/webhooks/{id}/rotate-secret',
  'A signing key for ID tokens is made when it is needed. Restart the server if it runs.',
].join('\n')

async function list(context: CliContext, { json }: JsonOption): Promise<void> {
  await withReads(context, async ({ reads, settings }) => {
    const lives = keyLives(await reads.listSigningKeys(), context.now(), settings.idTokenTtlSeconds)
    printList(context, lives.map(shown), ['kid', 'state', 'until', 'createdAt'], json)
  })
}

async function rotate(context: CliContext, { json }: JsonOption): Promise<void> {
  await withWrites(context, async ({ reads, writes, config }) => {
    const ring = createKeyRing({ reads, writes, config, now: context.now, random: context.random })
    const kid = await ring.rotate()
    await writes.audit({ at: context.now(), kind: 'key_rotated' })
    const made = (await ring.lives()).find(({ key }) => key.kid === kid)
    printObject(context, made ? shown(made) : { kid }, json)
  })
}

function shown({ key, state, until }: KeyLife): Printable {
  return {
    kid: key.kid,
    state,
    ...(until !== undefined && { until: shownTime(until) }),
    createdAt: shownTime(key.createdAt),
  }
}
