import { expect, it } from 'vitest'
import { coresOfTests } from '../../../test/support/core/testing.ts'
import type { VatNumberCheck } from '../../domain/payments/records.ts'

const core = coresOfTests()
const NUMBER = { vatNumber: 'DE123456789', evseId: 1 }

/** A service that answers when the test says so. */
function service() {
  const asked: { readonly vatNumber: string; readonly say: (check: VatNumberCheck) => void }[] = []
  const checkVatNumber = ({ vatNumber }: { readonly vatNumber: string }) =>
    new Promise<VatNumberCheck>((say) => {
      asked.push({ vatNumber, say })
    })
  return { asked, checkVatNumber }
}

it('OCPP21-A1, OCPP21-C8: a VAT number that comes as SEND is not asked about', async () => {
  const { asked, checkVatNumber } = service()
  const house = await core({ checkVatNumber })
  const station = await house.boot21('CP1')
  station.send(JSON.stringify([6, 's1', 'VatNumberValidation', NUMBER]))
  await station.call('Heartbeat', {})
  expect(asked).toEqual([])
  expect(await house.commands('CP1')).toContainEqual(expect.objectContaining({ messageId: 's1', status: 'success' }))
})

it.each([
  ['message', 0, []],
  ['answer', 1, ['DE123456789']],
])(
  'OCPP21-C8: where the %s cannot be stored it fails, and what came behind it is answered',
  async (_, after, expected) => {
    const { asked, checkVatNumber } = service()
    const house = await core({ checkVatNumber })
    const station = await house.boot21('CP1')
    const commit = house.coreStore.commit.bind(house.coreStore)
    let stored = 0
    house.coreStore.commit = (group) => {
      const isOfNumber = group.some(({ command, answer }) => command?.method === 'VatNumberValidation' || answer)
      if (isOfNumber && stored++ === after) return Promise.reject(new Error('The disk is full.'))
      return commit(group)
    }
    const answer = station.call('VatNumberValidation', NUMBER, 'v1')
    const next = station.call('Heartbeat', {})
    if (after === 1) await expect.poll(() => asked.length).toBe(1)
    asked[0]?.say({ verdict: 'valid' })
    expect(await answer).toEqual([4, 'v1', 'InternalError', expect.anything(), {}])
    expect(await next).toMatchObject([3, expect.anything(), { currentTime: expect.anything() }])
    expect(asked.map(({ vatNumber }) => vatNumber)).toEqual(expected)
  },
)

it('OCPP21-C8: a number that comes behind another one is asked about after it', async () => {
  const { asked, checkVatNumber } = service()
  const house = await core({ checkVatNumber })
  const station = await house.boot21('CP1')
  const first = station.call('VatNumberValidation', NUMBER)
  const second = station.call('VatNumberValidation', { vatNumber: 'ATU12345678' })
  await expect.poll(() => asked.length).toBe(1)
  asked[0]?.say({ verdict: 'valid' })
  expect(await first).toMatchObject([3, expect.anything(), { ...NUMBER, status: 'Accepted' }])
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.say({ verdict: 'invalid' })
  expect(await second).toMatchObject([3, expect.anything(), { vatNumber: 'ATU12345678', status: 'Rejected' }])
  expect(house.done.get(station.connection)).toBe(3)
})
