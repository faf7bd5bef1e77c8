import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../../test/support/property.ts'
import type { SessionState } from '../../ports/sessions.ts'
import { isTerminal, next } from './transition.ts'

const STATES: readonly SessionState[] = ['pending', 'charging', 'suspended', 'finishing', 'completed', 'failed']

it.each<[SessionState, SessionState, SessionState]>([
  ['pending', 'charging', 'charging'],
  ['pending', 'suspended', 'suspended'],
  ['pending', 'completed', 'completed'],
  ['charging', 'suspended', 'suspended'],
  ['suspended', 'charging', 'charging'],
  ['charging', 'finishing', 'finishing'],
  ['charging', 'pending', 'charging'],
  ['finishing', 'charging', 'finishing'],
  ['finishing', 'suspended', 'finishing'],
  ['finishing', 'completed', 'completed'],
  ['completed', 'charging', 'completed'],
  ['completed', 'failed', 'completed'],
  ['failed', 'completed', 'failed'],
])('SESSION-S3: %s, seen %s, becomes %s', (state, seen, expected) => {
  expect(next(state, seen)).toBe(expected)
})

it.each<[SessionState, SessionState, SessionState]>([
  ['finishing', 'charging', 'charging'],
  ['finishing', 'suspended', 'suspended'],
  ['finishing', 'pending', 'finishing'],
  ['charging', 'pending', 'charging'],
  ['completed', 'charging', 'completed'],
])('SESSION-S3: where no stop was asked for: %s, seen %s, becomes %s', (state, seen, expected) => {
  expect(next(state, seen, true)).toBe(expected)
})

it('SESSION-S3: whatever is seen, a terminal state is never left and nothing returns to pending', () => {
  forAll(fc.array(fc.constantFrom(...STATES)), fc.boolean(), (seen, mayResume) => {
    let state: SessionState = 'pending'
    for (const sight of seen) {
      const after = next(state, sight, mayResume)
      if (isTerminal(state)) expect(after).toBe(state)
      if (state !== 'pending') expect(after).not.toBe('pending')
      const isStopped = state === 'finishing' && !mayResume
      if (isStopped) expect(['finishing', 'completed', 'failed']).toContain(after)
      state = after
    }
  })
})
