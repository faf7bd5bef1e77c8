import { expect, it } from 'vitest'
import type { DeliveryState } from '../../domain/ports/storage-webhooks.ts'
import { successRate } from './webhook-facts.tsx'

it.each<[readonly DeliveryState[], object]>([
  [[], { succeeded: 0, finished: 0 }],
  [['pending', 'held', 'in_flight', 'cancelled', 'superseded'], { succeeded: 0, finished: 0 }],
  [['succeeded', 'pending'], { succeeded: 1, finished: 1, percent: 100 }],
  [['failed'], { succeeded: 0, finished: 1, percent: 0 }],
  [['succeeded', 'succeeded', 'failed'], { succeeded: 2, finished: 3, percent: 66 }],
])('API-P1: %j', (states, expected) => expect(successRate(states.map((state) => ({ state })))).toEqual(expected))
