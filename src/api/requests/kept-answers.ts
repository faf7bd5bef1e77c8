/** Answers under an Idempotency-Key that a restart does not forget (HOOK-S5): sealed, because one may show a secret. */
import { createHash } from 'node:crypto'
import type { Reads, Writes } from '../../domain/ports/storage.ts'
import type { KeptAnswer } from '../../domain/ports/storage-webhooks.ts'
import type { SealedBox } from '../../secrets/sealed-box.ts'
import { Problem } from '../problem.ts'
import type { Answered, KeptAnswers } from './idempotency.ts'

export function keptAnswers(
  reads: Pick<Reads, 'findKeptAnswer'>,
  writes: Pick<Writes, 'keepAnswer'>,
  box: SealedBox,
): KeptAnswers {
  const hashed = (name: string): string => createHash('sha256').update(name).digest('base64url')
  const opened = ({ sealed, name }: KeptAnswer): string => {
    const text = box.open(sealed, name)
    if (text !== undefined) return text
    // To carry it out once more would be the very thing that the key is there to prevent.
    throw new Problem(
      422,
      'idempotency_key_reused',
      'The first answer under this Idempotency-Key was sealed with a secret key that is lost: look whether its order was carried out, then take a new one.',
    )
  }
  return {
    async find(name) {
      const kept = await reads.findKeptAnswer(hashed(name))
      return kept && (JSON.parse(opened(kept)) as Answered)
    },
    async keep(name, answered) {
      const hash = hashed(name)
      await writes.keepAnswer({ name: hash, at: answered.at, sealed: box.seal(JSON.stringify(answered), hash) })
    },
  }
}
