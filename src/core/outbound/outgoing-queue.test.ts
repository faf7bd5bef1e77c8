import { expect, it } from 'vitest'
import { aCall } from '../../../test/support/records.ts'
import type { Priority } from '../../domain/outgoing-calls/records.ts'
import { OutgoingQueue, type QueuedCall } from './outgoing-queue.ts'

function queuedCall(messageId: string, priority: Priority = 'rest', expiresAt = 1000): QueuedCall {
  const call = { method: 'Reset', request: {} }
  const stored = aCall({ messageId, priority, expiresAt })
  return { stored, call, connection: 1 }
}

/** Sends the next one, if it may be sent. */
function sendNext(queue: OutgoingQueue): string | undefined {
  const next = queue.next(() => true)
  const claim = next && queue.claim(1)
  return claim && queue.leave(claim, next) ? next.stored.messageId : undefined
}

it('SESSION-O5: places are reserved while rows are committed, so a burst cannot exceed the limit', () => {
  const queue = new OutgoingQueue()
  expect(Array.from({ length: 101 }, () => queue.reserve()).filter(Boolean)).toHaveLength(100)
  queue.release()
  expect(queue.reserve()).toBe(true)
})

it('OCPP-RP4: at most one own CALL is open', () => {
  const queue = new OutgoingQueue()
  queue.reserve()
  queue.add(queuedCall('a'))
  queue.reserve()
  queue.add(queuedCall('b'))
  expect(sendNext(queue)).toBe('a')
  expect(sendNext(queue)).toBeUndefined()
  expect(queue.takeAnswered('a')).toMatchObject({ late: false })
  expect(sendNext(queue)).toBe('b')
})

it('OCPP-RP7: an answer that echoed the id in capitals left the call pending, also after its time was over', () => {
  for (const isTimedOut of [false, true]) {
    const queue = new OutgoingQueue()
    queue.reserve()
    queue.add(queuedCall('01990b2c-ab'))
    sendNext(queue)
    if (isTimedOut) queue.takeTimedOut('01990b2c-ab')
    expect(queue.takeAnswered('01990B2C-AB')).toMatchObject({ late: isTimedOut })
    expect(queue.takeAnswered('01990b2c-ab')).toBeUndefined()
  }
})

it('OCPP-RP4: stops go before starts before the rest, each in order of arrival', () => {
  const queue = new OutgoingQueue()
  for (const [id, priority] of [
    ['r1', 'rest'],
    ['s1', 'start'],
    ['r2', 'rest'],
    ['x1', 'stop'],
    ['s2', 'start'],
    ['x2', 'stop'],
  ] as const) {
    queue.reserve()
    queue.add(queuedCall(id, priority))
  }
  const order: string[] = []
  for (let next = sendNext(queue); next !== undefined; next = sendNext(queue)) {
    order.push(next)
    queue.takeAnswered(next)
  }
  expect(order).toEqual(['x1', 'x2', 's1', 's2', 'r1', 'r2'])
})

it('OCPP-RP8: only the newest time-outs are remembered', () => {
  const queue = new OutgoingQueue()
  for (let index = 0; index < 40; index++) {
    queue.reserve()
    queue.add(queuedCall(`m${index}`))
    sendNext(queue)
    queue.takeTimedOut(`m${index}`)
  }
  expect(queue.takeAnswered('m0')).toBeUndefined()
  expect(queue.takeAnswered('m39')).toBeDefined()
})

it('SESSION-O5: an expired command is never sent', () => {
  const queue = new OutgoingQueue()
  queue.reserve()
  queue.add(queuedCall('old', 'rest', 10))
  queue.reserve()
  queue.add(queuedCall('new', 'rest', 20))
  expect(queue.nextExpiry).toBe(10)
  expect(queue.takeExpired(10).map(({ stored }) => stored.messageId)).toEqual(['old'])
  expect(sendNext(queue)).toBe('new')
})

it('OCPP-RP4, OCPP-RP15: while the commit of one is under way no other may leave', () => {
  const queue = new OutgoingQueue()
  for (const id of ['a', 'b']) {
    queue.reserve()
    queue.add(queuedCall(id))
  }
  const claim = queue.claim(1)
  expect(claim).toBeDefined()
  expect([queue.claim(1), queue.claimAtOnce(1), sendNext(queue)]).toEqual([undefined, undefined, undefined])
  if (claim) queue.giveUp(claim)
  expect(sendNext(queue)).toBe('a')
})

it('OCPP-RP15: what was about to leave when its connection ended waits again', () => {
  const queue = new OutgoingQueue()
  queue.reserve()
  const call = queuedCall('a')
  queue.add(call)
  const claim = queue.claim(1)
  if (!claim) throw new Error('nothing is open')
  expect(queue.takeDropped()).toBeUndefined()
  expect([queue.leave(claim, call), queue.waits(call)]).toEqual([false, true])
  expect(sendNext(queue)).toBe('a')
})

it('OCPP-RP4: nothing overtakes what waits or is being stored by leaving at once', () => {
  const queue = new OutgoingQueue()
  queue.reserve()
  expect(queue.claimAtOnce(1)).toBeUndefined()
  queue.add(queuedCall('a'))
  expect(queue.claimAtOnce(1)).toBeUndefined()
  sendNext(queue)
  expect(queue.claimAtOnce(1)).toBeUndefined()
  queue.takeAnswered('a')
  expect(queue.claimAtOnce(1)).toBeDefined()
})
