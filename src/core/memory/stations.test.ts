import { expect, it } from 'vitest'
import { coresOfTests } from '../../../test/support/core/testing.ts'
import { anIdToken } from '../../../test/support/storage-contract/records.ts'

const core = coresOfTests({ settings: { unknownIdTokens: 'reject' } })

it('TOKEN-Z2: a registered card is not refused when the ids that others invent are too many to be remembered', async () => {
  const { boot16, store } = await core()
  await store.writes.createIdToken(anIdToken({ accountId: 'account-1', id: 'CARD', createdAt: 0 }))
  const station = await boot16('CP1')
  // One group: the card is looked up first, then ids that fill the memory many times over.
  const card = station.call('Authorize', { idTag: 'CARD' })
  const invented = Array.from({ length: 10 }, (_, each) =>
    station.call('Authorize', { idTag: `${each}${'x'.repeat(900_000)}` }),
  )
  expect((await card)[2]).toEqual({ idTagInfo: { status: 'Accepted' } })
  for (const answer of invented) expect((await answer)[2]).toEqual({ idTagInfo: { status: 'Invalid' } })
  expect((await station.call('Authorize', { idTag: 'CARD' }))[2]).toEqual({ idTagInfo: { status: 'Accepted' } })
})
