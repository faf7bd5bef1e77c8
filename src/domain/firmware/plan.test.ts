import { expect, it } from 'vitest'
import type { ChargePointView } from '../ports/storage-records.ts'
import { hasNoRecipient, plannedRows } from './plan.ts'

const campaign = { id: 'cmp_1', models: ['One'], waves: ['1', '100%'], target: { version: '2.0', firmwareId: 'f' } }
const view = (id: string, model: string, firmwareVersion?: string): ChargePointView =>
  ({ id, status: { model, firmwareVersion } }) as unknown as ChargePointView

// FIRMWARE-C8: whom a campaign reaches
it('who runs the version already is skipped, and takes no place in a wave', () => {
  const found = [view('A', 'One', ' 2.0'), view('B', 'One', '1.0'), view('C', 'Two'), view('D', 'One')]
  const rows = plannedRows(campaign, found, new Set(['A']), 5)
  expect(rows.map(({ chargePointId, wave, state, reason }) => [chargePointId, wave, state, reason])).toEqual([
    ['B', 1, 'planned', undefined],
    ['D', 2, 'planned', undefined],
    ['A', 0, 'skipped', 'has this version'],
    ['C', 0, 'skipped', 'other model'],
  ])
  expect(hasNoRecipient(rows)).toBeUndefined()
})

it('one that meets nobody says so, with the reasons', () => {
  expect(hasNoRecipient([])).toBe('The selector means no charge point.')
  const found = [view('A', 'One', '2.0'), view('B', 'One', '2.0'), view('C', 'Two')]
  const reason = 'No charge point is updated (has this version: 2, other model: 1).'
  expect(hasNoRecipient(plannedRows(campaign, found, new Set(), 5))).toBe(reason)
})
