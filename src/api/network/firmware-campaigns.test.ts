import { randomBytes } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { startApi, type TestApi, type TestResponse, tokenOf } from '../../../test/support/api/testing.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import { type Rollouts, startRollouts } from '../../application/rollouts/rollouts.ts'
import type { TokenPrincipal } from '../access/access.ts'
import { addCampaigns } from './firmware-campaigns.ts'

const PATH = '/2/firmware-campaigns'
const TARGET = { location: 'https://firmware.example/2.bin', version: '2.0' }

interface Shown {
  readonly id: string
  readonly state: string
  readonly data: readonly { readonly id: string; readonly evseControllerId: string }[]
  readonly counts: object
}

let rollouts: Rollouts
let token: TokenPrincipal
const api: TestApi = await startApi({
  parts: {
    verifyAccessToken: async () => token,
    extraEndpoints: [
      (parts) => {
        rollouts = startRollouts({
          reads: parts.reads,
          writes: parts.writes,
          core: parts.core,
          clock: { now: parts.now, monotonic: parts.now, after: () => () => undefined },
          random: randomBytes,
          secretKey: parts.settings.secretKey,
          log: parts.log,
        })
        addCampaigns(parts, rollouts)
      },
    ],
  },
})
for (const id of ['CP2', 'CP3']) {
  await api.store.writes.createChargePoint(aChargePoint({ id, accountId: 'acc1', securityProfile: 0, createdAt: 0 }))
}
afterAll(async () => {
  rollouts.stop()
  await api.close()
})

const as = (grantId: string, ...scopes: string[]): { readonly authorization: string } => {
  token = tokenOf({ grantId, scopes, chargePoints: ['CP1', 'CP2'] })
  return { authorization: 'Bearer pwa_1' }
}
const shown = (answer: TestResponse): Promise<Shown> => answer.json<Shown>()

it('FIRMWARE-C1, FIRMWARE-C5: it reaches what is shared with it, and knows its own campaigns alone', async () => {
  const mine = await shown(await api.call('POST', PATH, { selector: {}, ...TARGET }, as('g1', 'chargers:firmware')))
  const started = await shown(
    await api.call('POST', `${PATH}/${mine.id}/start`, undefined, as('g1', 'chargers:firmware')),
  )
  expect([started.state, started.counts]).toEqual(['running', { planned: 2 }])
  const seen = await shown(await api.call('GET', `${PATH}/${mine.id}`, undefined, as('g1', 'chargers:firmware')))
  expect(seen.data.map((row) => row.evseControllerId)).toEqual(['CP1', 'CP2'])
  const page = await shown(
    await api.call('GET', `${PATH}/${mine.id}?limit=1`, undefined, as('g1', 'chargers:firmware')),
  )
  expect(page.data.map((row) => row.evseControllerId)).toEqual(['CP1'])

  const other = await shown(await api.call('POST', PATH, { selector: {}, ...TARGET }))
  for (const grant of ['g1', 'g2']) {
    const foreign = grant === 'g1' ? other.id : mine.id
    const headers = as(grant, 'chargers:firmware')
    expect((await api.call('GET', `${PATH}/${foreign}`, undefined, headers)).status).toBe(404)
    expect((await api.call('POST', `${PATH}/${foreign}/cancel`, undefined, headers)).status).toBe(404)
  }
  const list = await shown(await api.call('GET', PATH, undefined, as('g2', 'chargers:firmware')))
  expect(list.data).toEqual([])
  expect((await api.get<Shown>(PATH)).data.map(({ id }) => id)).toEqual(expect.arrayContaining([mine.id, other.id]))
  const cancelled = await shown(await api.call('POST', `${PATH}/${mine.id}/cancel`))
  expect([cancelled.state, cancelled.counts]).toEqual(['cancelled', { cancelled: 2 }])
})

it('FIRMWARE-C8: a draft says how many it would reach and whom, page by page and by state', async () => {
  const body = { selector: { ids: ['CP1', 'CP2', 'CP3', 'CP4'], not: { ids: ['CP3'] } }, ...TARGET }
  const made = await api.call('POST', PATH, body)
  const draft = await shown(made)
  expect([draft.state, draft.counts]).toEqual(['draft', { planned: 2 }])
  const page = await api.get<Shown & { meta: { nextCursor: string } }>(`${PATH}/${draft.id}?limit=1&state=planned`)
  expect(page.data.map(({ evseControllerId }) => evseControllerId)).toEqual(['CP1'])
  const next = `${PATH}/${draft.id}?limit=1&state=planned&cursor=${page.meta.nextCursor}`
  expect((await api.get<Shown>(next)).data).toMatchObject([{ evseControllerId: 'CP2' }])
  expect(await api.get<Shown>(`${PATH}/${draft.id}?state=failed`)).toMatchObject({ data: [], counts: { planned: 2 } })
  expect((await api.call('GET', `${PATH}/${draft.id}?state=gone`)).status).toBe(400)
})
