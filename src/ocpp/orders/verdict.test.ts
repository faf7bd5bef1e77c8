import { expect, it } from 'vitest'
import { answerOutcome, answerWords } from './verdict.ts'

const error = { code: 'NotSupported', description: '', details: {} }

it.each([
  ['Accepted', { status: 'success', response: '{"status":"Accepted"}' }, 'done'],
  ['AcceptedCanceled', { status: 'success', response: '{"status":"AcceptedCanceled"}' }, 'done'],
  ['answered', { status: 'success', response: '{"configurationKey":[]}' }, 'done'],
  ['Rejected', { status: 'success', response: '{"status":"Rejected"}' }, 'refused'],
  ['UnlockFailed', { status: 'success', response: '{"status":"UnlockFailed"}' }, 'refused'],
  ['NotSupported', { status: 'error', error }, 'refused'],
  ['timeout', { status: 'timeout' }, 'failed'],
  ['dropped', { status: 'dropped' }, 'failed'],
  ['pending', { status: 'pending' }, 'done'],
] as const)('ADMIN-C7: an audit row that says %s does not say "done" unless it was (%#)', (words, command, outcome) => {
  expect([answerWords(command), answerOutcome(command)]).toEqual([words, outcome])
})
