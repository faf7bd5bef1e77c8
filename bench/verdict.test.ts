import { expect, it } from 'vitest'
import { reportTable } from './report.ts'
import { judge, type Measurement, median, percentile } from './verdict.ts'

const base: Measurement = {
  id: 'B1',
  what: 'calls',
  ours: '1',
  limit: '1',
  ratio: 1,
  must: 0.6,
  aim: 1,
  better: 'higher',
}

it.each([
  [{ ratio: 1.1 }, 'aim'],
  [{ ratio: 1 }, 'aim'],
  [{ ratio: 0.6 }, 'must'],
  [{ ratio: 0.59 }, 'fail'],
  [{ ratio: Number.NaN }, 'fail'],
  [{ ratio: 2, fault: 'errors' }, 'fail'],
  [{ better: 'lower' as const, must: 2, aim: 1.3, ratio: 1.2 }, 'aim'],
  [{ better: 'lower' as const, must: 2, aim: 1.3, ratio: 1.9 }, 'must'],
  [{ better: 'lower' as const, must: 2, aim: 1.3, ratio: 2.1 }, 'fail'],
  [{ better: 'lower' as const, must: 0, aim: 0, ratio: 0 }, 'aim'],
  [{ better: 'lower' as const, must: 0, aim: 0, ratio: 1 }, 'fail'],
])('of %j is %s', (change, verdict) => {
  expect(judge({ ...base, ...change })).toBe(verdict)
})

it('without a must is never a failure, only reported', () => {
  const { must: _, ...without } = base
  expect(judge({ ...without, better: 'lower', aim: 2.5, ratio: 2.4 })).toBe('aim')
  expect(judge({ ...without, better: 'lower', aim: 2.5, ratio: 4 })).toBe('reported')
  const { aim: __, ...figure } = without
  expect(judge(figure)).toBe('reported')
  expect(judge({ ...figure, fault: 'errors' })).toBe('fail')
  expect(reportTable([figure])).not.toContain('undefined')
})

it('stands in the table, with its fault', () => {
  const table = reportTable([base, { ...base, fault: '3 errors' }])
  expect(table).toContain('pass (aim)')
  expect(table).toContain('FAIL: 3 errors')
})

it.each([
  [[3, 1, 2], 0.5, 2],
  [[1, 2, 3, 4], 0.99, 4],
  [[5], 0.01, 5],
])('of %j at %d is %d', (values, fraction, expected) => {
  expect(percentile(values, fraction)).toBe(expected)
})

it('of nothing is no number', () => {
  expect(median([])).toBeNaN()
})
