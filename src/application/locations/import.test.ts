import { expect, it } from 'vitest'
import type { LocationContext } from './change.ts'
import { importLocations } from './import.ts'

const HEADER = 'id,address,city,country,latitude,longitude,timeZone,connectorId\n'
const context = {
  reads: { getRecord: async () => undefined },
  now: () => 0,
  random: (bytes: number) => Buffer.alloc(bytes),
} as unknown as LocationContext

async function* fileOf(rest: string, count: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from(HEADER)
  for (let at = 0; at < count; at++) yield Buffer.from(`l${at},A,B,DEU,1,1,UTC,${rest}\n`)
}

it('LOCATION-A6: a file of more locations than memory should hold is refused where it goes beyond', async () => {
  const answer = await importLocations(context, 'acc1', 'csv', fileOf('', 300_000))
  expect(answer).toMatchObject({ status: 422, errors: [{ pointer: '/csv/200002', code: 'out_of_range' }] })
})
