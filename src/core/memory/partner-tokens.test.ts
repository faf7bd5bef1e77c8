import { expect, it } from 'vitest'
import { storeOfTest } from '../../../test/support/storage/testing.ts'
import { PartnerTokens } from './partner-tokens.ts'

const ACCOUNT = 'account-1'
const PARTY = { accountId: ACCOUNT, countryCode: 'DE', partyId: 'PWR', businessDetails: { name: 'X' }, updatedAt: 0 }
const PARTNER = { tokenHashes: [], endpoints: [], roles: [], createdAt: 0, updatedAt: 0 }
const TOKEN = { countryCode: 'NL', partyId: 'EMP', type: 'RFID', valid: true, whitelist: 'ALWAYS' } as const

it('OCPI-A10: every token of a group is found, however many charges begin at once and partners there are', async () => {
  const { core, writes } = storeOfTest()
  await writes.createAccount({ id: ACCOUNT, name: 'Test', createdAt: 0 })
  await writes.putRecords('ocpi_parties', [PARTY])
  const partnerIds = Array.from({ length: 501 }, (_, at) => `p${String(at).padStart(3, '0')}`)
  const partners = partnerIds.map((partnerId) => ({
    ...PARTNER,
    accountId: ACCOUNT,
    partnerId,
    name: partnerId,
    state: 'registered' as const,
  }))
  await writes.putRecords('partners', partners.slice(0, 500))
  await writes.putRecords('partners', partners.slice(500))
  const uids = Array.from({ length: 300 }, (_, at) => `card-${at}`)
  const tokens = uids.map((uid) => ({ ...TOKEN, accountId: ACCOUNT, uid, contractId: uid, body: {}, lastUpdated: 0 }))
  await writes.putRecords(
    'partner_tokens',
    tokens.map((one) => ({ ...one, partnerId: 'p500' })),
  )
  const known = new PartnerTokens(core)
  await known.load(new Map([[ACCOUNT, new Set(uids)]]))
  expect(known.of(ACCOUNT)?.size).toBe(300)
})

it('OCPI-A10: that there is no party is not believed after a failed look-up, nor once a party may have come', async () => {
  const { core, writes } = storeOfTest()
  await writes.createAccount({ id: ACCOUNT, name: 'Test', createdAt: 0 })
  let isAway = false
  const listRecords: typeof core.listRecords = (kind, query) =>
    isAway ? Promise.reject(new Error('away')) : core.listRecords(kind, query)
  const known = new PartnerTokens({ listRecords })
  const seen = (): unknown => [known.isNone, known.mayHave(ACCOUNT)]
  await known.load(new Map())
  expect(seen()).toEqual([true, false])
  await writes.putRecords('ocpi_parties', [PARTY])
  known.registrationsChanged()
  expect(seen()).toEqual([false, true])
  isAway = true
  await expect(known.load(new Map())).rejects.toThrow('away')
  expect(seen()).toEqual([false, true])
  isAway = false
  const isRead = known.load(new Map())
  known.registrationsChanged()
  await isRead
  expect(seen()).toEqual([false, true])
  await writes.removeRecords('ocpi_parties', [PARTY])
  await known.load(new Map())
  expect(seen()).toEqual([true, false])
})
