import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { aCampaign } from '../../../test/support/records.ts'
import { type CampaignAction, isEnded, nextStep, stateAfter } from './campaign.ts'
import { waveEnds, waveOf } from './plan.ts'
import type { Campaign, CampaignRow, CampaignState, RowState } from './records.ts'

const CAMPAIGN = aCampaign()

const row = (id: string, wave: number, state: RowState): CampaignRow => ({
  campaignId: 'cmp_1',
  chargePointId: id,
  wave,
  state,
  requestId: 1,
  updatedAt: 0,
})
const all = () => true
const none = () => false

const states: readonly CampaignState[] = ['draft', 'running', 'paused', 'stopped', 'cancelled', 'done']
const actions: readonly CampaignAction[] = ['start', 'pause', 'resume', 'cancel']
const possible = actions.flatMap((action) =>
  states.flatMap((state) => {
    const after = stateAfter(state, action)
    return after ? [`${state} ${action} ${after}`] : []
  }),
)
it('FIRMWARE-C1: the states of a campaign: change by these actions alone', () => {
  expect(possible).toEqual([
    'draft start running',
    'running pause paused',
    'paused resume running',
    'stopped resume running',
    'draft cancel cancelled',
    'running cancel cancelled',
    'paused cancel cancelled',
    'stopped cancel cancelled',
  ])
  expect(states.filter(isEnded)).toEqual(['cancelled', 'done'])
})

it.each<[string, CampaignRow[], boolean, Partial<Campaign>, Partial<Campaign> | 'nothing']>([
  ['waits for who is running', [row('A', 1, 'running'), row('B', 2, 'planned')], true, {}, 'nothing'],
  ['waits for who is there', [row('A', 1, 'waiting'), row('B', 2, 'planned')], true, {}, 'nothing'],
  ['needs somebody who has finished', [row('A', 1, 'waiting'), row('B', 2, 'planned')], false, {}, 'nothing'],
  ['soaks first', [row('A', 1, 'succeeded'), row('B', 2, 'planned')], true, {}, { wave: 1, soakUntil: 6000 }],
  ['soaks to the end', [row('A', 1, 'succeeded')], true, { soakUntil: 5001 }, 'nothing'],
  ['then begins', [row('A', 1, 'succeeded')], true, { soakUntil: 5000 }, { wave: 2, soakUntil: undefined }],
  ['a soak that our clock began while it was ahead', [row('A', 1, 'succeeded')], true, { soakUntil: 9e9 }, { wave: 2 }],
  ['needs no proof of nobody', [row('A', 1, 'skipped'), row('B', 2, 'planned')], true, {}, { wave: 2 }],
  ['is the end after the last', [row('A', 1, 'succeeded')], true, { wave: 2 }, { state: 'done' }],
  ['the end waits for who is away', [row('A', 1, 'waiting')], false, { wave: 2 }, 'nothing'],
])('FIRMWARE-C2: the next wave: %s', (_, rows, isOnline, campaign, expected) => {
  const before = { ...CAMPAIGN, ...campaign }
  const { campaign: after } = nextStep(before, rows, () => isOnline, 5000)
  if (expected === 'nothing') expect(after).toBe(before)
  else expect(after).toMatchObject(expected)
})

it('FIRMWARE-C2: the next wave: orders all that are planned of the waves so far, and skips who is away where that is wanted', () => {
  const rows = [row('A', 1, 'planned'), row('B', 1, 'planned'), row('C', 2, 'planned'), row('D', 0, 'skipped')]
  const isOnline = (id: string): boolean => id === 'A'
  const waiting = nextStep(CAMPAIGN, rows, isOnline, 5000)
  expect([waiting.order.map((one) => one.chargePointId), waiting.put]).toEqual([['A', 'B'], []])
  const skipping = nextStep({ ...CAMPAIGN, retryOffline: false }, rows, isOnline, 5000)
  expect(skipping.order.map((one) => one.chargePointId)).toEqual(['A'])
  expect(skipping.put).toEqual([{ ...row('B', 1, 'skipped'), reason: 'offline', updatedAt: 5000 }])
})

const rowsIn = (...list: RowState[]): CampaignRow[] => list.map((state, at) => row(`S${at}`, 1, state))
it.each([
  ['certain already', rowsIn('failed', 'running', 'running', 'running'), true, 0.2, true],
  ['not certain yet', rowsIn('failed', 'running', 'running', 'running'), true, 0.3, false],
  ['all who can have finished', rowsIn('failed', 'succeeded', 'waiting', 'waiting'), false, 0.3, true],
  ['who is there may still succeed', rowsIn('failed', 'succeeded', 'waiting', 'waiting'), true, 0.3, false],
  ['as many as are allowed', rowsIn('failed', 'succeeded'), true, 0.5, false],
  ['refusals count', rowsIn('rejected', 'succeeded'), true, 0.4, true],
  ['skipped ones do not', rowsIn('failed', 'succeeded', 'skipped', 'skipped'), true, 0.4, true],
  ['none is allowed', rowsIn('failed', 'running'), true, 0, true],
  ['all are allowed', rowsIn('failed', 'failed'), true, 1, false],
])('FIRMWARE-C3: too many failures: %s', (_, rows, isOnline, rate, stops) => {
  const campaign = { ...CAMPAIGN, maxFailureMillionths: rate * 1_000_000 }
  const { campaign: after } = nextStep(campaign, rows, () => isOnline, 5000)
  expect(after.state === 'stopped').toBe(stops)
  if (stops) expect(after.reason).toMatch(/^\d of \d charge points of wave 1 failed; allowed are \d+ %\.$/)
})

it('FIRMWARE-C3: too many failures: begun again after it was stopped, the failures from before count no more, and new ones do', () => {
  const others = Array.from({ length: 8 }, (_, at) => row(`P${at}`, 1, 'running'))
  const before = [row('A', 1, 'failed'), row('B', 1, 'rejected'), ...others]
  expect(nextStep(CAMPAIGN, before, all, 10).campaign.state).toBe('stopped')
  expect(nextStep(CAMPAIGN, before, all, 10, 5).campaign.state).toBe('running')
  const again = [...before, { ...row('C', 1, 'failed'), updatedAt: 6 }]
  expect(nextStep(CAMPAIGN, again, all, 10, 5).campaign.state).toBe('stopped')
})

it('FIRMWARE-C3: too many failures: 5 in 100 stop it at 4 %, and do not at 5 %', () => {
  const rows = Array.from({ length: 100 }, (_, at) => row(`S${at}`, 1, at % 20 === 0 ? 'failed' : 'succeeded'))
  const at = (share: number) =>
    nextStep({ ...CAMPAIGN, maxFailureMillionths: share * 1_000_000 }, rows, all, 5000).campaign.state
  expect([at(0.04), at(0.05)]).toEqual(['stopped', 'running'])
})

const rows = [row('A', 1, 'running'), row('B', 1, 'waiting'), row('C', 2, 'planned'), row('D', 1, 'failed')]
it.each(['paused', 'stopped'] as const)('FIRMWARE-C4, FIRMWARE-C5: %s takes back what waits', (state) => {
  const step = nextStep({ ...CAMPAIGN, state }, rows, none, 5000)
  expect(step).toMatchObject({ order: [], put: [] })
  expect(step.recall.map(({ row: one, into }) => [one.chargePointId, into])).toEqual([['B', 'planned']])
})

it('FIRMWARE-C4, FIRMWARE-C5: cancelled ends what waits and is planned', () => {
  const step = nextStep({ ...CAMPAIGN, state: 'cancelled' }, rows, none, 5000)
  expect(step.recall.map(({ row: one, into }) => [one.chargePointId, into])).toEqual([
    ['A', 'cancelled'],
    ['B', 'cancelled'],
  ])
  expect(step.put.map((one) => [one.chargePointId, one.state])).toEqual([['C', 'cancelled']])
})

it.each(['draft', 'done'] as const)('FIRMWARE-C4, FIRMWARE-C5: %s orders nothing', (state) => {
  expect(nextStep({ ...CAMPAIGN, state }, [row('C', 1, 'planned')], all, 5000)).toMatchObject({
    order: [],
    recall: [],
  })
})

it('FIRMWARE-C1 to FIRMWARE-C6: a fleet in whatever order things happen: updates nobody twice, nobody before their wave, and comes to an end', () => {
  const outcome = fc.constantFrom<RowState>('succeeded', 'succeeded', 'succeeded', 'failed', 'rejected')
  forAll(
    fc.array(outcome, { minLength: 1, maxLength: 12 }),
    fc.array(fc.constantFrom('1', '2', '10%', '50%', '100%'), { minLength: 1, maxLength: 4 }),
    fc.constantFrom(0, 200_000, 1_000_000),
    fc.infiniteStream(fc.nat({ max: 3 })),
    (outcomes, waves, maxFailureMillionths, chance) => {
      const ends = waveEnds(waves, outcomes.length)
      const rows = new Map(
        outcomes.map((_, at) => [
          `S${at}`,
          row(`S${at}`, waveOf(ends, at), waveOf(ends, at) > 0 ? 'planned' : 'skipped'),
        ]),
      )
      let campaign: Campaign = { ...CAMPAIGN, waves, maxFailureMillionths }
      const ordered = new Set<string>()
      const random = (): number => chance.next().value as number
      for (let time = 1; time < 400 && campaign.state !== 'done' && campaign.state !== 'stopped'; time++) {
        // A process that was killed knows what is stored, and nothing else: each step is made of that alone.
        if (random() === 0) {
          const action = campaign.state === 'paused' ? 'resume' : 'pause'
          campaign = { ...campaign, state: stateAfter(campaign.state, action) ?? campaign.state }
        }
        const step = nextStep(campaign, [...rows.values()], all, time * 1000)
        if (step.campaign.state !== 'running') expect(step.order).toEqual([])
        campaign = step.campaign
        for (const { row: one, into } of step.recall) rows.set(one.chargePointId, { ...one, state: into })
        for (const one of step.recall) ordered.delete(one.row.chargePointId)
        for (const one of step.put) rows.set(one.chargePointId, one)
        for (const one of step.order) {
          expect(one.wave).toBeLessThanOrEqual(campaign.wave)
          expect(ordered.has(one.chargePointId)).toBe(false)
          ordered.add(one.chargePointId)
          rows.set(one.chargePointId, { ...one, state: 'waiting' })
        }
        outcomes.forEach((end, at) => {
          const one = rows.get(`S${at}`)
          if (!one || random() > 1) return
          if (one.state === 'waiting') rows.set(one.chargePointId, { ...one, state: 'running' })
          else if (one.state === 'running') rows.set(one.chargePointId, { ...one, state: end })
        })
      }
      if (campaign.state === 'paused') return
      expect(['done', 'stopped']).toContain(campaign.state)
      const later = [...rows.values()].filter(({ wave }) => wave > campaign.wave)
      expect(later.every(({ state }) => state === 'planned')).toBe(true)
      if (campaign.state === 'done') expect([...rows.values()].some(({ state }) => state === 'planned')).toBe(false)
    },
  )
})
