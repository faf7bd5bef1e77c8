import { expect, it } from 'vitest'
import { smtpAddress } from './smtp-address.ts'

it.each([
  ['smtp://localhost', true],
  ['smtp://127.0.0.1:25', true],
  ['smtp://127.9.9.9:25', true],
  ['smtp://[::1]:25', true],
  ['smtp://127.example.com', false],
  ['smtp://127.0.0.1.example.com', false],
  ['smtp://localhost.example.com', false],
  ['smtp://mail.example.com', false],
])('ALERT-M6: a name that begins like an address of this machine is none: %s', (text, isLocal) => {
  expect(smtpAddress(text)).toMatchObject({ isLocal })
})
