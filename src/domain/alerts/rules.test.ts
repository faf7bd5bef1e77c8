import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll, forRuns } from '../../../test/support/property.ts'
import { anAlert } from '../../../test/support/records.ts'
import { alertText, kindTitle } from '../../application/alerts/alert-words.ts'
import { mailText } from '../../application/alerts/mail-text.ts'
import { minuteOfDay } from '../hours.ts'
import { selects } from '../selector.ts'
import { oneLine } from '../typed-text.ts'
import { KINDS } from './alert-kinds.ts'
import { endOfQuiet, leavesAt, nextStanding, type Standing } from './quiet-hours.ts'
import { ALERT_KINDS, type AlertNotice } from './records.ts'
import { errorWindow } from './watched.ts'

const TIMEOUT_MS = { afterMs: 600_000, calmMs: 60_000 }

/** What became of one thing, looked at every 30 seconds. */
function play(seen: readonly boolean[], patience = TIMEOUT_MS): readonly string[] {
  let standing: Standing | undefined
  return seen.flatMap((isSo, at) => {
    const step = nextStanding(standing, isSo ? {} : undefined, patience, at * 30_000)
    standing = step.standing
    return step.change ? [`${step.change} ${at}`] : []
  })
}

const times = (count: number, isSo: boolean): readonly boolean[] => Array.from({ length: count }, () => isSo)

it.each([
  ['begins when it was so for as long as the rule says', [...times(21, true)], ['raised 20']],
  ['does not begin when it was over before', [...times(20, true), ...times(5, false)], []],
  ['counts anew after that', [...times(20, true), false, ...times(20, true)], []],
  ['ends once it was not so for a minute', [...times(30, true), ...times(5, false)], ['raised 20', 'cleared 32']],
  ['is one that comes and goes', [...times(21, true), false, true, false, true, false, true], ['raised 20']],
])('ALERT-R1, ALERT-R2: begin and end of an alert: it %s', (_, seen, changes) => {
  expect(play(seen)).toEqual(changes)
})

it('ALERT-R1: begin and end of an alert: a time that is known counts from then; one that is still to come counts from now', () => {
  expect(nextStanding(undefined, { since: 0 }, TIMEOUT_MS, 600_000).change).toBe('raised')
  expect(nextStanding(undefined, { since: 9_000_000 }, TIMEOUT_MS, 600_000)).toEqual({
    standing: { isRaised: false, since: 600_000 },
  })
})

it('ALERT-R1, ALERT-R2: begin and end of an alert: whatever is seen, begin and end take turns and an end follows a minute of calm', () => {
  forAll(fc.array(fc.boolean(), { maxLength: 200 }), fc.integer({ min: 0, max: 5 }), (seen, steps) => {
    const changes = play(seen, { afterMs: steps * 30_000, calmMs: 60_000 })
    changes.forEach((change, at) => {
      expect(change.split(' ')[0]).toBe(at % 2 === 0 ? 'raised' : 'cleared')
      const when = Number(change.split(' ')[1])
      const before = change.startsWith('raised') ? seen.slice(when - steps, when + 1) : seen.slice(when - 2, when + 1)
      expect(new Set(before)).toEqual(new Set([change.startsWith('raised')]))
    })
  })
})

const night = { from: '22:00', to: '06:30', timeZone: 'Europe/Berlin' }
const at = (text: string): number => Date.parse(text)
it.each([
  ['2026-08-01T12:00:00Z', '2026-08-01T12:00:00Z'],
  ['2026-08-01T19:59:59Z', '2026-08-01T19:59:59Z'],
  ['2026-08-01T20:00:00Z', '2026-08-02T04:30:00Z'],
  ['2026-08-02T04:29:59Z', '2026-08-02T04:30:00Z'],
  // The nights in which the clocks change.
  ['2026-03-28T22:00:00Z', '2026-03-29T04:30:00Z'],
  ['2026-10-24T21:00:00Z', '2026-10-25T05:30:00Z'],
])('ALERT-R5: quiet hours: mail of %s leaves at %s', (now, leaves) => {
  expect(new Date(endOfQuiet(night, at(now))).toISOString()).toBe(new Date(leaves).toISOString())
})

it('ALERT-R5: quiet hours: within one day; without any; what is no time of day is none', () => {
  const noon = { from: '12:00', to: '13:00', timeZone: 'UTC' }
  expect(endOfQuiet(noon, at('2026-08-01T12:15:30Z'))).toBe(at('2026-08-01T13:00:00Z'))
  expect(endOfQuiet(noon, at('2026-08-01T13:00:00Z'))).toBe(at('2026-08-01T13:00:00Z'))
  expect(endOfQuiet(undefined, 5)).toBe(5)
  // The clocks of New York showed a year before the epoch's.
  expect(endOfQuiet({ from: '21:02', to: '21:01', timeZone: 'America/New_York' }, 0)).toBe(121 * 60_000)
  expect(['24:00', '7:00', '07:60', '', '07:00 '].map(minuteOfDay)).toEqual(Array(5).fill(undefined))
})

it('ALERT-R5: quiet hours: nothing is ever delayed for longer than the quiet hours', () => {
  const minute = fc.integer({ min: 0, max: 1439 })
  const shown = (value: number): string =>
    `${String(Math.floor(value / 60)).padStart(2, '0')}:${String(value % 60).padStart(2, '0')}`
  forRuns(30)(minute, minute, fc.integer({ min: 0, max: 4e12 }), (from, to, now) => {
    fc.pre(from !== to)
    const quiet = { from: shown(from), to: shown(to), timeZone: 'America/New_York' }
    const end = endOfQuiet(quiet, now)
    expect(end).toBeGreaterThanOrEqual(now)
    expect(end - now).toBeLessThanOrEqual(26 * 3600_000)
    expect(endOfQuiet(quiet, end)).toBe(end)
  })
})

const moment = { now: 10_000_000, runningSince: 1000 }
const station = { id: 'EV-1', createdAt: 0, online: true, connectors: [] }
const server = { messages: 1000, errors: 0, diskHolds: 'database' as const }
const session = { id: 's', chargePointId: 'EV-1', state: 'charging', energyMilliWh: 0, createdAt: 5 } as const
const webhook = { id: 'wh', url: 'https://a.example/', status: 'active' } as const

it('ALERT-K1: kinds: each watches something and has its words in both languages', () => {
  for (const kind of ALERT_KINDS) {
    expect(Object.keys(KINDS[kind].finds).length).toBeGreaterThan(0)
    for (const language of ['en', 'de'] as const) {
      expect(kindTitle(kind, { language })).not.toBe('')
      expect(alertText({ kind, facts: { stationId: 'EV-1' } }, { language })).not.toContain('undefined')
    }
  }
})

it('ALERT-K2: kinds: offline since it was seen last, at the earliest since the server runs', () => {
  const find = KINDS.offline.finds.station
  expect(find?.(station, moment)).toBeUndefined()
  expect(find?.({ ...station, online: false, lastSeenAt: 5000 }, moment)?.since).toBe(5000)
  expect(find?.({ ...station, online: false }, moment)?.since).toBe(1000)
})

it('ALERT-K3: kinds: faulted with the connectors and the first code', () => {
  const connectors = [
    { connectorId: 1, status: 'Available' },
    { connectorId: 2, status: 'Faulted', errorCode: 'GroundFailure' },
  ]
  const found = KINDS.faulted.finds.station?.({ ...station, connectors }, moment)
  expect(found?.facts).toEqual({ stationId: 'EV-1', connectors: [2], errorCode: 'GroundFailure' })
  expect(alertText({ kind: 'faulted', facts: found?.facts ?? {} }, { language: 'de' })).toBe(
    'EV-1 ist gestört: Anschluss 2, GroundFailure',
  )
  expect(KINDS.faulted.finds.station?.(station, moment)).toBeUndefined()
})

it('ALERT-K4: kinds: an error rate of one in twenty, of ten errors at least, within five minutes', () => {
  const find = (messages: number, errors: number) =>
    KINDS.errorRate.finds.server?.({ ...server, messages, errors }, moment)
  expect([find(1000, 49), find(100, 9), find(200, 10)?.facts.percent]).toEqual([undefined, undefined, 5])
  const window = errorWindow()
  expect(window.add(0, { messages: 10, callErrors: 10 })).toEqual({ messages: 0, errors: 0 })
  expect(window.add(60_000, { messages: 30, callErrors: 15 })).toEqual({ messages: 20, errors: 5 })
  expect(window.add(400_000, { messages: 40, callErrors: 15 })).toEqual({ messages: 10, errors: 0 })
})

it('ALERT-K5: kinds: a charge without energy counts from its start', () => {
  const find = KINDS.sessionWithoutEnergy.finds.session
  expect(find?.({ ...session, startedAt: 7 }, moment)?.since).toBe(7)
  // SESSION-T1: it came from a queue, its energy a moment behind it.
  expect(find?.({ ...session, startedAt: 7, createdAt: 9 }, moment)?.since).toBe(9)
  expect(find?.({ ...session, energyMilliWh: 1 }, moment)).toBeUndefined()
  expect(find?.({ ...session, state: 'suspended' }, moment)).toBeUndefined()
})

it('ALERT-K6: kinds: a webhook that fails, or was given up; not one that its owner switched off', () => {
  const find = KINDS.webhookFailing.finds.webhook
  expect(find?.({ ...webhook, failingSince: 3 }, moment)?.since).toBe(3)
  expect(find?.({ ...webhook, status: 'disabled', disabledReason: 'gone', disabledAt: 4 }, moment)?.since).toBe(4)
  expect(find?.({ ...webhook, status: 'disabled', disabledReason: 'owner', failingSince: 3 }, moment)).toBeUndefined()
  expect(find?.(webhook, moment)).toBeUndefined()
})

it('ALERT-K7: kinds: less than a gibibyte of disk; a clock that is wrong by more than a minute, the server’s or a station’s', () => {
  expect(KINDS.disk.finds.server?.({ ...server, freeBytes: 1024 ** 3 }, moment)).toBeUndefined()
  expect(KINDS.disk.finds.server?.({ ...server, freeBytes: 10 * 1024 ** 2 }, moment)?.facts).toEqual({
    mebibytes: 10,
    diskHolds: 'database',
  })
  const files = KINDS.disk.finds.server?.({ ...server, freeBytes: 0, diskHolds: 'files' }, moment)?.facts ?? {}
  expect(alertText({ kind: 'disk', facts: files }, { language: 'en' })).toBe(
    'The folder of firmware and logs has 0 MiB of disk left',
  )
  expect(KINDS.disk.finds.server?.(server, moment)).toBeUndefined()
  expect(KINDS.clock.finds.server?.({ ...server, newestRowAt: moment.now + 61_000 }, moment)?.facts.seconds).toBe(-61)
  expect(KINDS.clock.finds.station?.({ ...station, clockSkewMs: -90_000 }, moment)?.facts.seconds).toBe(-90)
  expect(KINDS.clock.finds.station?.({ ...station, clockSkewMs: 60_000 }, moment)).toBeUndefined()
})

it('ALERT-K8: kinds: a station of whose request no certificate was made, since then and with the reason', () => {
  const failed = { ...station, certificateFailure: { at: 7, reason: 'the service that signs answered\n503' } }
  const found = KINDS.certificateFailed.finds.station?.(failed, moment)
  expect(found?.since).toBe(7)
  expect(alertText({ kind: 'certificateFailed', facts: found?.facts ?? {} }, { language: 'en' })).toBe(
    'EV-1 got no certificate: the service that signs answered 503',
  )
  expect(KINDS.certificateFailed.finds.station?.(station, moment)).toBeUndefined()
})

it('ALERT-R3: kinds: a selector means the stations for which all of it holds', () => {
  const known = { id: 'EV-1', labels: { site: 'north' }, vendor: 'ACME', model: 'X', firmwareVersion: '1' }
  expect(selects({}, { id: 'EV-9' })).toBe(true)
  expect(selects({ ids: ['EV-1'], labels: { site: 'north' }, vendor: 'ACME', firmwareVersion: '1' }, known)).toBe(true)
  for (const other of [{ ids: [] }, { labels: { site: 'south' } }, { vendor: 'acme' }, { model: 'Y' }]) {
    expect(selects(other, known)).toBe(false)
  }
  expect(selects({ labels: { site: 'north' } }, { id: 'EV-2' })).toBe(false)
})

const [EN, DE] = [{ language: 'en', timeZone: 'UTC' } as const, { language: 'de', timeZone: 'Europe/Berlin' } as const]
const notice = (change: Partial<AlertNotice> = {}, errorCode = 'GroundFailure'): AlertNotice => ({
  id: 'n',
  accountId: 'a',
  mail: 'a@b.example',
  what: 'begins',
  dueAt: 0,
  attempts: 0,
  createdAt: 0,
  alert: anAlert('al', {
    ruleName: 'Faults',
    about: 'EV-1',
    raisedAt: 1,
    facts: { stationId: 'EV-1', connectors: [1], errorCode },
  }),
  ...change,
})

it('ALERT-M3: mail: one thing is told by its subject; several are counted and listed', () => {
  expect(mailText([notice()], EN, 'http://x/alerts')).toEqual({
    subject: '[Pilotwire] EV-1 is faulted: connector 1, GroundFailure',
    text: 'Began:\n- EV-1 is faulted: connector 1, GroundFailure, since 1970-01-01 00:00 UTC (rule: Faults)\n\nAll that is on:\nhttp://x/alerts\n',
  })
  const several = mailText([notice(), notice(), notice({ what: 'ends' })], DE, 'http://x')
  expect(several.subject).toBe('[Pilotwire] Gestört: 2 begonnen, 1 vorbei')
  expect(several.text).toMatch(/^Begonnen:\n- 2 × Gestört, seit 1970-01-01 01:00 Europe\/Berlin\n {2}- EV-1 ist/)
  expect(several.text.match(/^ *- EV-1 ist gestört.* seit 1970-01-01 01:00 Europe\/Berlin/gm)).toHaveLength(3)
})

it('ALERT-M3: mail: an alert of the hour that comes twice in autumn says which of the two it was', () => {
  const textOf = (since: number) => mailText([notice({ alert: { ...notice().alert, since } })], DE, 'http://x').text
  const first = Date.UTC(2026, 9, 25, 0, 30)
  expect(textOf(first)).toContain('seit 2026-10-25 02:30 Europe/Berlin (UTC+2) (')
  expect(textOf(first + 3_600_000)).toContain('seit 2026-10-25 02:30 Europe/Berlin (UTC+1) (')
})

it('ALERT-M3: mail: 4,700 stations that are lost at once are a few lines, by kind and site', () => {
  const lost = Array.from({ length: 4700 }, (_, at) => {
    const { alert, ...rest } = notice()
    const site = at < 4000 ? 'North' : at < 4699 ? 'South' : undefined
    const about = `EV-${at}`
    return { ...rest, alert: { ...alert, kind: 'offline' as const, about, facts: { stationId: about, site } } }
  })
  const { subject, text } = mailText([...lost, notice()], EN, 'http://x')
  expect(subject).toBe('[Pilotwire] 4701 began, 0 over')
  expect(text.split('\n').slice(0, 5)).toEqual([
    'Began:',
    '- 4000 × Offline at North, since 1970-01-01 00:00 UTC',
    '- 699 × Offline at South, since 1970-01-01 00:00 UTC',
    '- EV-1 is faulted: connector 1, GroundFailure, since 1970-01-01 00:00 UTC (rule: Faults)',
    '- EV-4699 is offline, since 1970-01-01 00:00 UTC (rule: Faults)',
  ])
  const sites = lost.slice(0, 400).map((one, at) => {
    const facts = { stationId: one.alert.about, site: `S${at % 200}` }
    return { ...one, alert: { ...one.alert, facts } }
  })
  expect(mailText(sites, EN, 'http://x').text).toContain('\n- 200 more, in 100 groups\n')
  const few = lost.slice(3990, 4010).reverse()
  const lines = mailText(few, EN, 'http://x').text.match(/EV-\d+/g)
  expect(lines).toEqual(Array.from({ length: 20 }, (_, at) => `EV-${3990 + at}`))
})

it.each([
  ['nothing was sent', undefined, undefined, 0],
  ['the last mail was five minutes ago', -300_000, undefined, 0],
  ['it was just before', 0, undefined, 300_000],
  ['it was nearly five minutes ago', -299_999, undefined, 1],
  ['the clock was put back since', 1, undefined, 0],
  ['the next would fall into quiet hours', -60_000, { from: '12:04', to: '12:10', timeZone: 'UTC' }, 600_000],
  ['quiet hours are over by then', -60_000, { from: '11:00', to: '12:02', timeZone: 'UTC' }, 240_000],
])('ALERT-M7: mail: where %s', (_, sent, quiet, later) => {
  const now = Date.UTC(2026, 7, 1, 12)
  expect(leavesAt(sent === undefined ? undefined : now + sent, quiet, now) - now).toBe(later)
})

it('ALERT-M4: mail: whatever a station says, subject and lines stay what they are', () => {
  forAll(fc.string({ unit: 'binary', maxLength: 300 }), (hostile) => {
    for (const text of [hostile, `x\r\nBcc: evil@example.com\r\n\r\n${hostile}`, `\u2028${hostile}\u202e`]) {
      const { subject, text: body } = mailText([notice({}, text)], EN, 'http://x')
      expect(subject).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      expect(subject.length).toBeLessThanOrEqual(300)
      expect(body.split(/[\n\r\u2028\u2029]/)).toHaveLength(6)
    }
  })
  expect(oneLine('a'.repeat(1e6), 10)).toBe(`${'a'.repeat(9)}…`)
})
