/** A report whose charge point loses its connection between two pages. */
import { expect, it } from 'vitest'
import { houseOfFile, type Json, until } from './house.ts'
import { booted201, connectStation } from './station.ts'

const house = await houseOfFile()

const page = (requestId: unknown, seqNo: number, tbc: boolean, name: string): Json => ({
  requestId,
  seqNo,
  tbc,
  generatedAt: new Date().toISOString(),
  reportData: [
    {
      component: { name: 'Ctrlr' },
      variable: { name },
      // As long as the specification allows.
      variableAttribute: [{ value: name.repeat(2500), mutability: 'ReadWrite' }],
      variableCharacteristics: { dataType: 'string', supportsMonitoring: false },
    },
  ],
})

it('DEVICE-A2, DEVICE-A3: a report goes on with the same request id across a reconnect, and is complete', async () => {
  const path = '/2/evse-controllers/CP1'
  const first = await booted201(house.ocppUrl, 'CP1', { answer: { status: 'Accepted' } })
  const { id } = (await house.request('POST', `${path}/reports`, { base: 'FullInventory' })).body
  const asked = () => first.frames.find((frame) => frame[2] === 'GetBaseReport')
  await until(() => asked() !== undefined)
  const [, , , sent] = asked() ?? []
  const { requestId } = sent as Json
  expect(String(requestId)).toBe(id)
  await first.ask('NotifyReport', page(requestId, 0, true, 'A'))
  await first.close()
  const state = async () => (await house.request('GET', `${path}/reports/${id}`)).body.state
  expect(await state()).toBe('running')

  const again = await connectStation(house.ocppUrl, 'CP1', 'ocpp2.0.1', { answer: { status: 'Accepted' } })
  await again.ask('NotifyReport', page(requestId, 2, false, 'C'))
  expect(await state()).toBe('running')
  await again.ask('NotifyReport', page(requestId, 1, true, 'B'))
  await until(async () => (await state()) === 'complete')
  const { data } = (await house.request('GET', `${path}/variables?component=CTRLR`)).body
  const found = (data as readonly { variable: { name: string }; value: string }[]).map(
    ({ variable, value }) => `${variable.name} ${value.length}`,
  )
  expect(found).toEqual(['A 2500', 'B 2500', 'C 2500'])
  expect(again.frames.filter((frame) => frame[2] === 'GetBaseReport')).toEqual([])
})
