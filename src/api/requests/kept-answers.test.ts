import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { openStore, temporaryDatabase } from '../../../test/support/storage/testing.ts'
import { sealedBox } from '../../secrets/sealed-box.ts'
import { keptAnswers } from '../api.ts'

it('HOOK-S5, HOOK-W4: an answer outlives the process for a day, and the secret in it is not readable in the database', async () => {
  const database = temporaryDatabase()
  const store = openStore(database.path)
  const answers = keptAnswers(store.reads, store.writes, sealedBox(randomBytes(32), 'keptAnswers', randomBytes))
  const answered = { fingerprint: 'f', at: 1, answer: { status: 201, headers: [], body: '{"secret":"whsec_x"}' } }
  await answers.keep('k', answered)
  expect(await answers.find('k')).toEqual(answered)
  expect(await answers.find('other')).toBeUndefined()
  const rows = await store.reads.listRecords('kept_answers', { limit: 9 })
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toMatch(/whsec|"k"/)
  const withOtherKey = keptAnswers(store.reads, store.writes, sealedBox(randomBytes(32), 'keptAnswers', randomBytes))
  await expect(withOtherKey.find('k')).rejects.toMatchObject({ status: 422, code: 'idempotency_key_reused' })
  store.close()
  database.remove()
})
