import type { Command } from 'commander'
import { acceptSecretKey, knownKeyCheck, secretKeyCheck } from '../../config/secret-key.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { createKeyRing, type KeyLife, keyLives, keysIn } from '../../oidc/keys/ring.ts'
import type { CliContext } from './cli-context.ts'
import { withAnyKey, withReads, withWrites } from './database.ts'
import { declare, type Listed } from './declare.ts'
import { type JsonOption, type Printable, printObject } from './output/print.ts'

export function register(program: Command, context: CliContext): void {
  const keys = program.command('keys').description('keys that sign ID tokens, and the secret key that protects them')
  declare(keys, context, {
    usage: 'list',
    does: 'list the keys and their state: next, active or retired',
    examples: ['pilotwire keys list'],
    run: list,
  })
  declare(keys, context, {
    usage: 'rotate',
    does: 'publish a new key now; it signs after five minutes, and tokens of the old one stay valid',
    examples: ['pilotwire keys rotate'],
    run: rotate,
  })
  declare(keys, context, {
    usage: 'accept-secret',
    does: 'go on with the secret key that is set now, when the old one is lost for good',
    examples: ['pilotwire keys accept-secret'],
    run: acceptSecret,
  })
}

async function acceptSecret(context: CliContext, { json }: JsonOption): Promise<void> {
  await withAnyKey(context, async ({ path, reads, writes, config }) => {
    const check = secretKeyCheck(config.secretKey)
    const replaced = ((await knownKeyCheck(reads)) ?? check) !== check
    await acceptSecretKey(config.secretKey, writes)
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

function list(context: CliContext): Promise<Listed> {
  return withReads(context, async ({ reads, settings }) => {
    const lives = keyLives(await keysIn(reads), context.now(), settings.idTokenTtlSeconds)
    return { rows: lives.map(shown), columns: ['kid', 'state', 'until', 'createdAt'] }
  })
}

function rotate(context: CliContext): Promise<Printable> {
  return withWrites(context, async ({ reads, writes, config }) => {
    const ring = createKeyRing({ reads, writes, config, now: context.now, random: context.random })
    const kid = await ring.rotate()
    await writes.audit({ at: context.now(), kind: 'key_rotated' })
    const made = (await ring.lives()).find(({ key }) => key.kid === kid)
    return made ? shown(made) : { kid }
  })
}

function shown({ key, state, until }: KeyLife): Printable {
  return {
    kid: key.kid,
    state,
    until: isoTime(until),
    createdAt: isoTime(key.createdAt),
  }
}
