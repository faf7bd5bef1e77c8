import { expect, it } from 'vitest'
import { namesOfOne, OPERATIONS, subjectOf } from './node-messages.ts'

// STORE-M2: what each operation of the core is about
it('one charge point, named by itself or by a session', () => {
  expect([...namesOfOne].sort()).toEqual([
    ...['decideBlock', 'disconnect', 'dropCommands', 'orderReport', 'removeChargePoint'],
    ...['sendCommand', 'settle', 'startSession', 'stopSession'],
  ])
  expect(subjectOf('sendCommand', [{ chargePointId: 'CP' }])).toMatchObject({ chargePointId: 'CP' })
  expect(subjectOf('stopSession', ['A', 'S'])).toEqual({ sessionId: 'S' })
  expect(subjectOf('settle', [{ sessionId: 'S' }])).toMatchObject({ sessionId: 'S' })
  expect(subjectOf('removeChargePoint', ['A', 'CP'])).toEqual({ chargePointId: 'CP' })
  expect(subjectOf('disconnect', ['CP', 'why'])).toEqual({ chargePointId: 'CP' })
})

it('nothing that is sent to a charge point is done a second time without a look at what was stored', () => {
  expect([OPERATIONS.sendCommand.whenUnknown, OPERATIONS.startSession.whenUnknown]).toEqual(['look', 'look'])
  expect([OPERATIONS.decideBlock.whenUnknown, OPERATIONS.orderReport.whenUnknown]).toEqual(['tell', 'tell'])
})
