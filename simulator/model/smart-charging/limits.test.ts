import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Claim, limitsAt, type Offer, offerOf, share } from './limits.ts'
import { at, profile, type Row, T0 } from './testing.ts'

const most: Offer = { amps: 32, phases: 3, firstPhase: 0, voltage: 230 }
const moment = { at: at(60), connectorId: 1, transaction: { transactionId: '7', startedAt: T0 } }
const offered = (
  rows: readonly Row[],
  carPhases = 3,
  when: typeof moment | Omit<typeof moment, 'transaction'> = moment,
) => {
  const { connector, station } = limitsAt(
    rows.map((row, number) => profile({ id: number, startAt: T0, ...row })),
    when,
  )
  return offerOf([...connector, ...station], most, carPhases)
}
const max = { purpose: 'ChargePointMaxProfile', connectorId: 0 } as const
const ofTx = { purpose: 'TxProfile', transactionId: '7' } as const
const external = { purpose: 'ChargingStationExternalConstraints' } as const

describe('SIM-A6: what all profiles allow together, in amperes on each phase', () => {
  it.each<[string, readonly Row[], number]>([
    ['nothing said: what the outlet gives', [], 32],
    ['a default', [{ periods: [[0, 10]] }], 10],
    [
      'the higher stack level, though it allows more',
      [{ periods: [[0, 10]] }, { stackLevel: 1, periods: [[0, 20]] }],
      20,
    ],
    ['the higher one while it says something', [{ periods: [[0, 10]] }, { stackLevel: 1, durationSeconds: 30 }], 10],
    ['a profile of the charge in place of the default', [{ periods: [[0, 10]] }, { ...ofTx, periods: [[0, 20]] }], 20],
    ['the default where that of the charge has ended', [{ periods: [[0, 10]] }, { ...ofTx, durationSeconds: 60 }], 10],
    ['a profile of another charge', [{ ...ofTx, transactionId: '8' }], 32],
    [
      'the smallest of all purposes',
      [
        { ...ofTx, periods: [[0, 20]] },
        { ...max, periods: [[0, 12]] },
      ],
      12,
    ],
    [
      'a constraint from outside',
      [
        { ...ofTx, periods: [[0, 20]] },
        { ...external, periods: [[0, 8]] },
      ],
      8,
    ],
    ['a constraint of another connector', [{ ...external, connectorId: 2, periods: [[0, 8]] }], 32],
    ['a default of all connectors', [{ connectorId: 0, periods: [[0, 9]] }], 9],
    ['that of the connector at one level', [{ connectorId: 0, periods: [[0, 9]] }, { periods: [[0, 11]] }], 11],
    ['watts of three phases', [{ unit: 'W', periods: [[0, 6_900]] }], 10],
    ['a current that nobody has', [{ periods: [[0, 80]] }], 32],
  ])('%s', (_name, rows, amps) => {
    expect(offered(rows).amps).toBeCloseTo(amps, 9)
  })

  it('without a charge only limits of the station hold', () => {
    const rows = [{ periods: [[0, 10]] }, { ...max, periods: [[0, 12]] }] as const
    expect(offered(rows, 3, { at: at(60), connectorId: 1 }).amps).toBe(12)
  })

  it.each<[string, Row, number, Partial<Offer>]>([
    ['watts for a car on one phase', { unit: 'W', periods: [[0, 2_300]] }, 1, { amps: 10, phases: 1 }],
    ['amperes count on each phase', { periods: [[0, 10]] }, 1, { amps: 10, phases: 1 }],
    ['one phase for a car of three', { unit: 'W', periods: [[0, 2_300, 1]] }, 3, { amps: 10, phases: 1 }],
    ['direct current is made of three phases', { unit: 'W', periods: [[0, 6_900]] }, 0, { amps: 10, phases: 3 }],
  ])('%s', (_name, row, carPhases, offer) => {
    expect(offered([row], carPhases)).toMatchObject(offer)
  })

  it('K01.FR.19: one phase alone, and which', () => {
    const one = { ...profile(), startAt: T0, periods: [{ startSeconds: 0, limit: 16, phases: 1, phaseToUse: 2 }] }
    const { connector } = limitsAt([one], moment)
    expect(offerOf(connector, most, 3)).toEqual({ amps: 16, phases: 1, firstPhase: 1, voltage: 230 })
  })
})

const claim = (connectorId: number, gridPhases: readonly number[] = [0, 1, 2], amps = 32): Claim => ({
  connectorId,
  gridPhases,
  offer: { amps, phases: gridPhases.length, firstPhase: 0, voltage: 230 },
})
const amperes = (limit: number) => [{ unit: 'A', limit, phases: 3 }] as const
const watts = (limit: number) => [{ unit: 'W', limit, phases: 3 }] as const

describe('SIM-A19: a limit of the station is shared by its connectors', () => {
  it.each<[string, readonly Claim[], Parameters<typeof share>[0], readonly number[]]>([
    ['one alone has all of it', [claim(1)], amperes(20), [20]],
    ['two have half each', [claim(1), claim(2)], amperes(20), [10, 10]],
    ['what one cannot use the other has', [claim(1, [0, 1, 2], 8), claim(2)], amperes(20), [8, 12]],
    ['too little for two: the first one charges', [claim(1), claim(2)], amperes(11), [11, 0]],
    ['too little for one', [claim(1)], amperes(5.9), [0]],
    ['cars on different phases do not share', [claim(1, [0]), claim(2, [2])], amperes(16), [16, 16]],
    ['cars on one phase do', [claim(1, [0]), claim(2, [0]), claim(3, [1])], amperes(16), [8, 8, 16]],
    ['watts are shared whatever the phases', [claim(1, [0]), claim(2, [1])], watts(4_600), [10, 10]],
    ['who is limited below 6 A himself has none', [claim(1, [0], 5), claim(2, [0])], amperes(16), [0, 16]],
  ])('%s', (_name, claims, rates, expected) => {
    const shares = share(rates, claims)
    for (const [number, { connectorId }] of claims.entries())
      expect(shares.get(connectorId)).toBeCloseTo(expected[number] ?? 0, 6)
  })

  it('never gives more than there is, and none below 6 A', () => {
    const claims = fc.array(
      fc.record({
        gridPhases: fc.subarray([0, 1, 2], { minLength: 1 }),
        amps: fc.double({ min: 0, max: 32, noNaN: true }),
      }),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(claims, fc.double({ min: 0, max: 200, noNaN: true }), fc.boolean(), (wishes, limit, isWatts) => {
        const all = wishes.map(({ gridPhases, amps }, number) => claim(number, gridPhases, amps))
        const shares = share(isWatts ? watts(limit * 230) : amperes(limit), all)
        const onPhase = (phase: number) =>
          all
            .filter(({ gridPhases }) => gridPhases.includes(phase))
            .reduce((sum, { connectorId }) => sum + (shares.get(connectorId) ?? 0), 0)
        const phases = [0, 1, 2].map(onPhase)
        const drawn = isWatts ? phases.reduce((sum, ampere) => sum + ampere, 0) : Math.max(...phases)
        expect(drawn).toBeLessThanOrEqual(limit + 1e-4)
        for (const { connectorId, offer } of all) {
          const ampere = shares.get(connectorId) ?? 0
          expect(ampere === 0 || (ampere >= 6 && ampere <= offer.amps + 1e-4)).toBe(true)
        }
      }),
      { numRuns: 200 },
    )
  })
})
