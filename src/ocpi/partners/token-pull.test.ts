import { randomBytes } from 'node:crypto'
import { beforeEach, expect, it, vi } from 'vitest'
import { customerToken } from '../../../test/roaming-partner.ts'
import { manualClock } from '../../../test/support/clock.ts'
import { storeOfTest } from '../../../test/support/storage/testing.ts'
import { laneOf, type Partner } from '../../domain/partners/records.ts'
import { alignLane } from '../pushes/lanes.ts'
import type { PartnerClient } from './client.ts'
import { startTokenPulls } from './token-pull.ts'
import { readToken } from './tokens.ts'

const START = Date.UTC(2026, 10, 29)
const DAY_MS = 86_400_000
const roles = [{ role: 'EMSP', countryCode: 'NL', partyId: 'EMP', businessDetails: { name: 'E' } }]
const partner: Partner = {
  accountId: 'a',
  partnerId: 'p',
  name: 'E',
  state: 'registered',
  tokenHashes: [],
  version: '2.3.0',
  endpoints: [{ identifier: 'tokens', role: 'SENDER', url: 'https://e.example/tokens' }],
  roles,
  createdAt: 1,
  updatedAt: 1,
}

/** Each partner's pages, by its id; a function is asked at each pull. */
async function started(pages: Readonly<Record<string, () => AsyncGenerator<never>>>, ...partners: readonly Partner[]) {
  const store = storeOfTest()
  const { reads, writes } = store
  const clock = manualClock(START)
  const asked: string[] = []
  const client = {
    pages(one: Partner, { url }: { url: string }) {
      asked.push(`${one.partnerId} ${new URL(url).search}`)
      return (pages[one.partnerId] ?? none)()
    },
  } as unknown as PartnerClient
  await writes.putRecords('ocpi_parties', [
    { accountId: 'a', countryCode: 'DE', partyId: 'PWR', businessDetails: { name: 'P' }, updatedAt: 1 },
  ])
  await writes.putRecords('partners', partners)
  const warnings: object[] = []
  const log = { info: () => {}, warn: (fields: object) => void warnings.push(fields), error: expect.fail }
  const pulls = startTokenPulls({ reads, writes, client, clock, now: clock.now, random: randomBytes, log })
  const pulled = () =>
    reads.getRecord('partners', { accountId: 'a', partnerId: 'p' }).then((one) => one?.tokensPulledAt)
  const tokens = () => reads.listRecords('partner_tokens', { where: { accountId: 'a' }, limit: 10 })
  /** The clock goes on, look by look. */
  const until = (holds: () => boolean | Promise<boolean>) =>
    vi.waitUntil(
      async () => {
        clock.advance(2000)
        return holds()
      },
      { timeout: 20_000, interval: 5 },
    )
  return { reads, writes, clock, asked, pulls, pulled, tokens, until, warnings }
}

async function* none(): AsyncGenerator<never> {}

const listOf = (...tokens: readonly object[]) =>
  async function* list(): AsyncGenerator<never> {
    yield tokens as never
  }

let house: Awaited<ReturnType<typeof started>>
let release = (): void => undefined
beforeEach(() => async () => {
  release()
  await house.pulls.stop()
})

it('OCPI-A3: are pulled at registration as a whole, and daily what changed since', async () => {
  house = await started({ p: listOf(customerToken('A'), customerToken('B')) }, partner)
  await house.until(async () => (await house.pulled()) !== undefined)
  expect(await house.tokens()).toMatchObject([{ uid: 'a' }, { uid: 'b' }])
  const { clock, asked } = house
  clock.set(START + DAY_MS - 3_600_000)
  for (let looks = 0; looks < 20; looks++) await house.until(() => true)
  expect(asked).toEqual(['p ?limit=500'])
  clock.set(START + DAY_MS + 3_600_000)
  await house.until(() => asked.length === 2)
  expect(asked[1]).toMatch(/^p \?limit=500&date_from=2026-11-28T23%3A00%3A0\d/)
})

it('OCPI-A3: what was pushed since stays, whatever a page says; a clock that was ahead holds nothing back', async () => {
  const page = listOf(customerToken('NEW', { valid: true }), customerToken('AHEAD', { valid: false }))
  house = await started({ p: page }, { ...partner, state: 'suspended' })
  const stored = (uid: string, at: string, valid: boolean) => {
    const read = readToken(partner, '2.3.0', customerToken(uid, { last_updated: at, valid }))
    return read.ok ? read.token : expect.fail()
  }
  house.clock.set(START + DAY_MS)
  await house.writes.putRecords('partner_tokens', [
    stored('NEW', '2026-11-29T12:00:00Z', false),
    stored('AHEAD', '2031-01-01T00:00:00Z', true),
  ])
  await house.writes.putRecords('partners', [partner])
  await house.until(async () => (await house.pulled()) !== undefined)
  expect(await house.tokens()).toMatchObject([
    { uid: 'ahead', valid: false },
    { uid: 'new', valid: false },
  ])
})

it('OCPI-A3: a pull that fails is tried again later, and one that hangs delays no other partner', async () => {
  const hangs = new Promise<void>((resolve) => {
    release = resolve
  })
  const pages = {
    async *h(): AsyncGenerator<never> {
      await hangs
      yield [] as never
    },
    async *p(): AsyncGenerator<never> {
      yield { ok: false, message: 'nonsense' } as never
    },
  }
  house = await started(pages, { ...partner, partnerId: 'h' }, partner)
  const pullsOf = (id: string): number => house.asked.filter((one) => one.startsWith(id)).length
  await house.until(() => house.warnings.length > 0)
  expect(house.warnings).toMatchObject([{ partner: 'p', fault: 'nonsense' }])
  house.clock.set(START + 800_000)
  for (let looks = 0; looks < 20; looks++) await house.until(() => true)
  expect(pullsOf('p')).toBe(1)
  house.clock.set(START + 1_000_000)
  await house.until(() => pullsOf('p') === 2)
  expect([pullsOf('h'), await house.pulled()]).toEqual([1, undefined])
})

it('OCPI-A1: of a partner that left no token stays', async () => {
  house = await started({}, { ...partner, state: 'removed' })
  const read = readToken(partner, '2.3.0', customerToken('A'))
  if (read.ok) await house.writes.putRecords('partner_tokens', [read.token])
  expect(await house.tokens()).toHaveLength(1)
  await house.until(async () => (await house.tokens()).length === 0)
})

it('OCPI-A2: pushes that were given up after days of failures go on once the partner was reached', async () => {
  house = await started({}, { ...partner, state: 'suspended' })
  const { writes, clock } = house
  const known = { ...partner, versionsUrl: 'https://e.example/versions' }
  await writes.createAccount({ id: 'a', name: 'A', createdAt: START })
  await alignLane({ writes, now: clock.now }, known, true)
  const lane = () => writes.updateSubscription(laneOf('p'), {})
  await writes.disableSubscription(laneOf('p'), 'failing', START)
  await writes.putRecords('partners', [known])
  expect(await lane()).toMatchObject({ status: 'disabled' })
  await house.until(() => lane().then((one) => typeof one === 'object' && one.status === 'active'))
})
