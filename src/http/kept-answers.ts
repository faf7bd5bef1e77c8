/** Answers under an Idempotency-Key that a restart does not forget (S5): sealed, because one may show a secret. */
import { createHash } from 'node:crypto'
import type { Reads, Writes } from '../storage/store.ts'
import type { SecretBox } from '../webhooks/secrets.ts'
import type { Answered, KeptAnswers } from './idempotency.ts'

export function keptAnswers(
  reads: Pick<Reads, 'findKeptAnswer'>,
  writes: Pick<Writes, 'keepAnswer'>,
  box: SecretBox,
): KeptAnswers {
  const hashed = (name: string): string => createHash('sha256').update(name).digest('base64url')
  return {
    async find(name) {
      const kept = await reads.findKeptAnswer(hashed(name))
      return kept && (JSON.parse(box.open(kept.sealed, kept.name)) as Answered)
    },
    async keep(name, answered) {
      const hash = hashed(name)
      await writes.keepAnswer({ name: hash, at: answered.at, sealed: box.seal(JSON.stringify(answered), hash) })
    },
  }
}
