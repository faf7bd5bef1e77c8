import { expect, it } from 'vitest'
import { RECORDS } from '../domain/records/records.ts'
import { KEPT_RECORDS } from './work.ts'

it('RECORD-D7: every record that declares an age is removed some day, or kept for ever because a setting says so', () => {
  const aging = RECORDS.filter(({ age }) => age !== undefined).map(({ name }) => name)
  expect(Object.keys(KEPT_RECORDS).sort()).toEqual(aging.sort())
})
