import { describe, expect, it } from 'vitest'
import type { OutgoingCommand } from './outgoing.ts'
import { OutgoingQueue } from './outgoing.ts'

function command(messageId: string, priority: OutgoingCommand['priority'] = 'rest', expiresAt = 1000): OutgoingCommand {
  const call = { method: 'Reset', request: {} }
  return { id: 1, messageId, call, protocol: 'ocpp1.6', priority, expiresAt, settled: () => undefined }
}

describe('outgoing queue', () => {
  it('SESSION-O5: places are reserved while rows are committed, so a burst cannot exceed the limit', () => {
    const queue = new OutgoingQueue()
    expect(Array.from({ length: 101 }, () => queue.reserve()).filter(Boolean)).toHaveLength(100)
    queue.release()
    expect(queue.reserve()).toBe(true)
  })

  it('OCPP-RP4: at most one own CALL is open', () => {
    const queue = new OutgoingQueue()
    queue.reserve()
    queue.add(command('a'))
    queue.reserve()
    queue.add(command('b'))
    expect(queue.takeNext()?.messageId).toBe('a')
    expect(queue.takeNext()).toBeUndefined()
    expect(queue.takeAnswered('a')).toMatchObject({ late: false })
    expect(queue.takeNext()?.messageId).toBe('b')
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
      queue.add(command(id, priority))
    }
    const order: string[] = []
    for (let next = queue.takeNext(); next; next = queue.takeNext()) {
      order.push(next.messageId)
      queue.takeAnswered(next.messageId)
    }
    expect(order).toEqual(['x1', 'x2', 's1', 's2', 'r1', 'r2'])
  })

  it('OCPP-RP7: after a time-out the next command may be sent', () => {
    const queue = new OutgoingQueue()
    queue.reserve()
    queue.add(command('a'))
    queue.reserve()
    queue.add(command('b'))
    queue.takeNext()
    expect(queue.takeTimedOut('b')).toBeUndefined()
    expect(queue.takeTimedOut('a')?.messageId).toBe('a')
    expect(queue.takeNext()?.messageId).toBe('b')
  })

  it('OCPP-RP8: an answer after the time-out is matched once', () => {
    const queue = new OutgoingQueue()
    queue.reserve()
    queue.add(command('a'))
    queue.takeNext()
    queue.takeTimedOut('a')
    expect(queue.takeAnswered('a')).toMatchObject({ late: true, command: { messageId: 'a' } })
    expect(queue.takeAnswered('a')).toBeUndefined()
  })

  it('OCPP-RP8: only the newest time-outs are remembered', () => {
    const queue = new OutgoingQueue()
    for (let index = 0; index < 40; index++) {
      queue.reserve()
      queue.add(command(`m${index}`))
      queue.takeNext()
      queue.takeTimedOut(`m${index}`)
    }
    expect(queue.takeAnswered('m0')).toBeUndefined()
    expect(queue.takeAnswered('m39')).toBeDefined()
  })

  it('OCPP-RP9: a lost connection drops the open command only', () => {
    const queue = new OutgoingQueue()
    queue.reserve()
    queue.add(command('a'))
    queue.reserve()
    queue.add(command('b'))
    queue.takeNext()
    expect(queue.takeDropped()?.messageId).toBe('a')
    expect(queue.takeDropped()).toBeUndefined()
    expect(queue.takeNext()?.messageId).toBe('b')
  })

  it('SESSION-O5: an expired command is never sent', () => {
    const queue = new OutgoingQueue()
    queue.reserve()
    queue.add(command('old', 'rest', 10))
    queue.reserve()
    queue.add(command('new', 'rest', 20))
    expect(queue.nextExpiry).toBe(10)
    expect(queue.takeExpired(10).map((expired) => expired.messageId)).toEqual(['old'])
    expect(queue.takeNext()?.messageId).toBe('new')
  })
})
