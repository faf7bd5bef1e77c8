import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { check } from '../../application/check-schema.ts'
import { PutConfigurationSchema } from '../../application/configuration/schemas.ts'
import { CreateCampaignSchema } from '../../application/firmware/campaigns.ts'
import { readCardFile } from '../../application/id-tokens/import.ts'
import { PutMonitorsSchema } from '../../application/monitors/orders.ts'
import { readTyped } from '../../application/resource/orders.ts'
import { REASONS } from '../../domain/bulk-orders/records.ts'
import { noSuch, refuseFaults } from '../../domain/refuse.ts'
import { tariff } from '../../domain/tariffs/tariff.ts'
import { AWAY, NEVER_CONNECTED } from '../../ocpp/orders/objection.ts'
import { GERMAN, translated } from './translated.ts'

const german = (sentence: string): string => translated({ language: 'de' }, sentence)
const english = (sentence: string): string => translated({ language: 'en' }, sentence)

it('a refused U+2028 is no control character in German either', () => {
  expect(german('name must not contain line separators (U+2028)')).toContain(
    'darf keine Zeilentrenner enthalten (U+2028)',
  )
})

it.each(Object.entries(REASONS))('ADMIN-D4, BULK-B8: the objection %s has words in both languages', (_, reason) => {
  expect(english(reason)).toBe(reason)
  expect(german(reason)).not.toBe(reason)
})

it.each([
  [AWAY.detail, 'nicht verbunden'],
  [NEVER_CONNECTED.detail, 'noch nie verbunden'],
  ['the charge point answered Rejected: <b>hot</b>', 'die Ladestation antwortete Rejected: <b>hot</b>'],
  ['ocpp1.6 has no such command to a charge point. It has: Reset.', 'ocpp1.6 kennt diesen Befehl'],
  ['not read back yet: the answer does not name it', 'noch nicht zurückgelesen: die Antwort nennt es nicht'],
  ['must be at most 64 characters long', 'darf höchstens 64 Zeichen lang sein'],
  ['must be a list of at most 500. is required', 'darf höchstens 500 Einträge haben. muss angegeben werden'],
  ['Line 3: must be an e-mail address', 'Line 3: muss eine E-Mail-Adresse sein'],
  ['“site” must not be empty', '“site” darf nicht leer sein'],
  ['No charge point can be set this: /a is required.', 'Keine Ladestation kann so eingestellt werden'],
  [noSuch('thing').detail, 'Das gibt es nicht'],
  ['The request does not fit the ocpp1.6 schema of Reset.', 'Schema von Reset in ocpp1.6'],
  ['the charge point said 🔌', 'the charge point said 🔌'],
  ['', ''],
  ['x'.repeat(255), 'x'.repeat(255)],
])('ADMIN-D4, BULK-B8: what is objected to: %s', (sentence, shown) => {
  expect(german(sentence)).toContain(shown)
  expect(english(sentence)).toBe(sentence)
})

it('ADMIN-D4, BULK-B8: what is objected to: every fault of the forms that are taken most has German words', () => {
  const wrong = {
    selector: { ids: [1], labels: { X: '' }, vendor: '' },
    window: { start: '9', end: 1, timeZone: 'x' },
  }
  const checked = [
    check(PutConfigurationSchema, { ...wrong, priority: 'x', rebootPolicy: 'now', variables: [{ value: 1 }] }),
    check(PutMonitorsSchema, { ...wrong, monitors: [{ type: 'Odd', severity: 10, value: 'x' }] }),
    check(CreateCampaignSchema, { ...wrong, location: 'x', waves: ['no'], maxFailureRate: 2, soakMinutes: -1 }),
  ]
  const lines = readCardFile('id,status\nA,Gone\nA,x,y\n,Accepted\n', { accountId: 'A', createdAt: 0 })
  const faults = [
    ...checked.flatMap((one) => (one.ok ? [] : one.faults)),
    ...('faults' in lines ? lines.faults : []),
    ...((read) => (read.ok ? [] : read.faults))(readTyped(tariff, { currency: 'X', perKwh: '-1' }, true)),
  ]
  expect(faults.length).toBeGreaterThan(20)
  for (const { message } of faults) expect(german(message), message).not.toBe(message)
})

it('ADMIN-D4, BULK-B8: what is objected to: translates nothing that nobody says any more', () => {
  const source = [
    'src/application',
    'src/core/operations',
    'src/core/nodes',
    'src/domain',
    'src/ocpi',
    'src/ocpp',
    'src/console',
    'src/webhooks',
  ]
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => `${folder}/${String(file)}`))
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !file.endsWith('kit/translated.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const longest = (sentence: string): string =>
    sentence
      .split('{}')
      .reduce((most, part) => (part.length > most.length ? part : most))
      .trim()
  // Made of pieces by check-schema.
  const made = /^must be (a|an|at least|at most|more than|one of) |^has the wrong type$/
  // Rows of older databases say it.
  const stored = ['somebody cancelled the order']
  const dead = GERMAN.filter(([one]) => !made.test(one) && !stored.includes(one) && !source.includes(longest(one)))
  expect(dead.map(([one]) => one)).toEqual([])
})

it('ADMIN-D4, BULK-B8: what is objected to: a text made to keep the server busy is left as it is', () => {
  const hostile = ['is required: '.repeat(5000), 'could not be stored '.repeat(200), ': . ”'.repeat(900)]
  for (const text of hostile) expect(german(text)).toBe(text)
  const { detail } = refuseFaults(hostile.map((message) => ({ pointer: '/x', code: 'invalid_value', message })))
  expect(german(detail)).not.toBe('')
})
