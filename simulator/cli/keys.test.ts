import { EventEmitter } from 'node:events'
import { afterEach, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/server/system.ts'
import { startCentralSystem } from '../central-system.ts'
import { createChargePoint } from '../charge-point.ts'
import { createPerson } from '../model/person.ts'
import { cleanUp, tidy } from '../network.testing.ts'
import { KEYS_LINE, listenToKeys } from './stay.ts'

afterEach(tidy)

it('keys do what a person on site does, an unknown one says which there are', async () => {
  const system = await startCentralSystem()
  cleanUp.push(() => system.close())
  const chargePoint = createChargePoint({ protocol: 'ocpp1.6', url: system.url, id: 'KEYS' })
  cleanUp.push(() => chargePoint.powerOff())
  await chargePoint.connect()
  await chargePoint.boot()
  const raw: boolean[] = []
  const input = Object.assign(new EventEmitter(), {
    setRawMode: (on: boolean) => raw.push(on),
    resume: () => undefined,
    pause: () => undefined,
  })
  const notes: string[] = []
  const quit = vi.fn()
  const person = createPerson({ chargePoint, after: systemClock.after })
  const end = listenToKeys(input, { chargePoint, person, idToken: 'CARD', note: (text) => notes.push(text), quit })
  const press = async (key: string, status: string) => {
    input.emit('data', Buffer.from(key))
    await expect.poll(() => notes.at(-1)).toBe(status)
  }
  await press('p', 'Preparing')
  await press('s', 'Charging')
  await press('f', 'Faulted')
  await press('f', 'Charging')
  const amps = () => chargePoint.snapshot().connectors[0]?.reading.offeredA
  await press('l', 'Charging')
  expect(amps()).toBeCloseTo(8)
  await press('l', 'Charging')
  expect(amps()).toBeCloseTo(32)
  await press('o', 'Charging, offline')
  await press('o', 'Charging')
  await press('s', 'Finishing')
  await press('u', 'Available')
  await press('u', 'Available')
  await press('x', KEYS_LINE)
  input.emit('data', Buffer.from('q'))
  expect(quit).toHaveBeenCalledOnce()
  end()
  expect(raw).toEqual([true, false])
})
