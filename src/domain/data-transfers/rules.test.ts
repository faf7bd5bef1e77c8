import { expect, it } from 'vitest'
import { Driver } from '../../../test/support/sessions/driver.ts'
import type { DataTransferAnswer } from './records.ts'
import { answerOf } from './rules.ts'

const ACCEPTED = { status: 'Accepted' } as const

it.each([
  ['nobody registered it', undefined, 'hello', { status: 'UnknownVendorId' }],
  ['any message', ACCEPTED, 'hello', { status: 'Accepted' }],
  ['any message, one without an id', ACCEPTED, undefined, { status: 'Accepted' }],
  ['a message that is named', { ...ACCEPTED, messageIds: ['a', 'hello'] }, 'hello', { status: 'Accepted' }],
  ['one that is not', { ...ACCEPTED, messageIds: ['a'] }, 'hello', { status: 'UnknownMessageId' }],
  ['one whose id differs in case', { ...ACCEPTED, messageIds: ['Hello'] }, 'hello', { status: 'UnknownMessageId' }],
  ['one without an id', { ...ACCEPTED, messageIds: ['a'] }, undefined, { status: 'UnknownMessageId' }],
  ['with data', { ...ACCEPTED, data: { a: 1 } }, 'x', { status: 'Accepted', data: { a: 1 } }],
  ['with data that is false', { ...ACCEPTED, data: false }, 'x', { status: 'Accepted', data: false }],
  ['refused, with data', { status: 'Rejected', data: 'no' }, 'x', { status: 'Rejected', data: 'no' }],
  ['not named: without the data', { ...ACCEPTED, data: 1, messageIds: ['a'] }, 'x', { status: 'UnknownMessageId' }],
] as const)('TIMELINE-T1: what a vendor’s message is answered: %s', (_, registered, messageId, expected) => {
  expect(answerOf(registered, messageId)).toEqual(expected)
})

const events = (data: unknown, answer?: DataTransferAnswer) => {
  const driver = new Driver()
  if (answer) driver.transferAnswers.set('com.example', answer)
  const { changes, outcome } = driver.send({
    kind: 'dataTransferReceived',
    vendorId: 'com.example',
    messageId: 'm',
    data,
  })
  return { events: changes.events, outcome }
}

it('TIMELINE-T3: the event: tells the message and what it was answered', () => {
  const answer = {
    accountId: 'A',
    vendor: 'com.example',
    vendorId: 'com.example',
    status: 'Accepted',
    updatedAt: 0,
  } as const
  const { events: reported, outcome } = events({ celsius: 21 }, answer)
  expect(outcome).toMatchObject({ transfer: { status: 'Accepted' } })
  expect(reported).toMatchObject([
    {
      type: 'data-transfer.received',
      subject: 'CP1',
      data: { vendorId: 'com.example', messageId: 'm', data: { celsius: 21 }, status: 'Accepted' },
    },
  ])
})

it.each([
  ['none', undefined, undefined, undefined],
  ['64 KiB with its quotes', 'x'.repeat(64 * 1024 - 2), 'x'.repeat(64 * 1024 - 2), undefined],
  ['one more character', 'x'.repeat(64 * 1024 - 1), undefined, true],
  ['false', false, false, undefined],
])('TIMELINE-T3: the event: data: %s', (_, data, shown, dataOmitted) => {
  const [event] = events(data).events ?? []
  const known = event?.data as { data?: unknown; dataOmitted?: true; status: string }
  expect([known.data, known.dataOmitted, known.status]).toEqual([shown, dataOmitted, 'UnknownVendorId'])
})
