import { expect, it } from 'vitest'
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import { changeIdToken, createIdToken } from './id-tokens.ts'

type Context = Parameters<typeof createIdToken>[0]

it('SESSION-T3: a budget says since when the card has one; another sum is no new budget', async () => {
  let stored: IdToken | undefined
  let now = 1
  const parts = {
    now: () => now,
    settings: {},
    reads: { findIdToken: async () => stored, listRecords: async () => [] },
    writes: {
      async createIdToken(token: IdToken) {
        stored = token
        return 'created'
      },
      async updateIdToken(_accountId: string, _id: string, { budget }: { readonly budget?: IdToken['budget'] | null }) {
        if (stored) stored = { ...stored, budget: budget ?? undefined }
        return stored
      },
    },
  } as unknown as Context
  const card = { accountId: 'a', id: 'CARD' }
  const since = async (budget: IdToken['budget'] | null): Promise<number | undefined> => {
    now++
    await changeIdToken(parts, card, { budget })
    return stored?.budget?.since
  }
  await createIdToken(parts, card)
  expect(await since({ costMicros: 5, per: 'day' })).toBe(2)
  expect(await since({ costMicros: 9, per: 'month' })).toBe(2)
  expect(await since(null)).toBeUndefined()
  expect(await since({ costMicros: 5, per: 'day' })).toBe(5)
  await createIdToken(parts, { ...card, budget: { costMicros: 5, per: 'day' } })
  expect(stored?.budget?.since).toBe(5)
})
