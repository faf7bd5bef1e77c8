import { describe, expect, it } from 'vitest'
import { Driver, type DriverOptions, MINUTE, ZERO } from '../../../../test/support/sessions/driver.ts'
import { CARD, event, started } from '../../../../test/support/sessions/inputs.ts'
import type { PartnerOfSession, PartnersOfToken, PartnerToken, PartnerVerdict } from '../../partners/records.ts'
import type { ChargePointState } from '../../ports/sessions.ts'
import type { DecisionContext } from '../decision.ts'
import { partnerQuestion } from './partner-token.ts'

const UID = CARD.id.toLowerCase()
const TOKEN: PartnerToken = {
  accountId: 'account',
  uid: UID,
  partnerId: 'p',
  countryCode: 'NL',
  partyId: 'EMP',
  type: 'RFID',
  valid: true,
  whitelist: 'ALLOWED',
  contractId: 'NL-EMP-C1',
  body: { uid: CARD.id },
  lastUpdated: 1,
}
const NAMED = { partnerId: 'p', countryCode: 'NL', partyId: 'EMP', uid: CARD.id, type: 'RFID', contractId: 'NL-EMP-C1' }
const PARTNER: PartnerOfSession = { ...NAMED, authMethod: 'AUTH_REQUEST', authorizationReference: 'r' }
const YES: PartnerVerdict = { allowed: 'yes', partner: PARTNER }
const UNKNOWN: PartnerVerdict = { allowed: 'unknown' }

const of = (...tokens: Partial<PartnerToken>[]): DriverOptions => ({
  partnerTokens: new Map<string, PartnersOfToken>([[UID, { tokens: tokens.map((one) => ({ ...TOKEN, ...one })) }]]),
})
const shown = (verdict?: PartnerVerdict) => ({ kind: 'authorise', idToken: CARD, verdict }) as const
const minutesOf = ({ now }: Driver): number => (now - ZERO) / MINUTE
const answered = (driver: Driver, verdict?: PartnerVerdict) => driver.send(shown(verdict)).outcome.authorisation

describe('OCPI-A10: what a token is worth by our copy, and without an answer', () => {
  it.each([
    ['ALWAYS', true, undefined, 'Accepted'],
    ['ALWAYS', false, undefined, 'Blocked'],
    ['ALLOWED', true, undefined, 'Accepted'],
    ['ALLOWED', false, undefined, 'Blocked'],
    ['ALLOWED_OFFLINE', true, UNKNOWN, 'Accepted'],
    ['ALLOWED_OFFLINE', false, UNKNOWN, 'Blocked'],
    ['NEVER', true, UNKNOWN, 'Invalid'],
    ['NEVER', false, YES, 'Accepted'],
    ['NEVER', true, { allowed: 'no', status: 'NoCredit' }, 'NoCredit'],
  ] as const)('%s, valid %s, %j: %s', (whitelist, valid, verdict, status) => {
    expect(answered(new Driver(of({ whitelist, valid })), verdict)?.status).toBe(status)
  })

  it('of several a card goes before a token of an app, then a valid one, then the newest', () => {
    const app = { type: 'APP_USER', partnerId: 'app', lastUpdated: 9 }
    const bad = { valid: false, partnerId: 'bad', lastUpdated: 8 }
    const driver = new Driver(of(app, bad, { lastUpdated: 1 }, { lastUpdated: 2, partnerId: 'newest' }))
    expect(answered(driver)?.partner).toMatchObject({ partnerId: 'newest', authMethod: 'WHITELIST' })
  })

  it('a card of ours goes before it, and without partners nothing is different', () => {
    const ours = new Driver({ ...of({ whitelist: 'ALWAYS' }), idTokens: [{ id: CARD.id, status: 'Blocked' }] })
    expect(answered(ours)).toEqual({ status: 'Blocked', expiresAt: undefined, groupId: undefined })
    expect(answered(new Driver())).toEqual({ status: 'Unknown' })
  })
})

describe('OCPI-A10: an answer to a card', () => {
  const start = (driver: Driver) => {
    driver.send(started(minutesOf(driver), { idToken: CARD }))
    return driver.session().partner
  }

  it('is good for the charge that begins with it, once, for 15 minutes', () => {
    const driver = new Driver(of({ whitelist: 'NEVER' }))
    answered(driver, YES)
    expect(driver.records.all('partner_permits')).toHaveLength(1)
    expect(start(driver)).toEqual(PARTNER)
    expect(driver.records.all('partner_permits')).toEqual([])
    const late = new Driver(of({ whitelist: 'NEVER' }))
    answered(late, YES)
    late.now = ZERO + 15 * MINUTE
    expect(start(late)).toBeUndefined()
  })

  it('is forgotten when the partner refuses the card later', () => {
    const driver = new Driver(of({ whitelist: 'NEVER' }))
    answered(driver, YES)
    answered(driver, { allowed: 'no', status: 'Blocked' })
    expect(driver.records.all('partner_permits')).toEqual([])
  })
})

it('OCPI-A4: what a command permits holds for all charges of 15 minutes', () => {
  const driver = new Driver(of({ whitelist: 'NEVER' }))
  const partner = { ...NAMED, authMethod: 'COMMAND' } as const
  driver.send({ kind: 'partnerPermitted', partner })
  driver.send(started(minutesOf(driver), { idToken: CARD }))
  expect(driver.session().partner).toEqual(partner)
  expect(answered(driver)?.status).toBe('Accepted')
  driver.now = ZERO + 15 * MINUTE
  expect(answered(driver)?.status).toBe('Invalid')
})

it('OCPI-A10: what a 2.x charge began with stays good for it, though the partner is not asked again', () => {
  const driver = new Driver(of({ whitelist: 'NEVER' }))
  const first = driver.send({ ...event(0, 0, 'started', { idToken: CARD }), verdict: YES })
  const later = driver.send(event(1, 0, 'updated', { idToken: CARD }))
  expect([first, later].map(({ outcome }) => outcome.authorisation?.status)).toEqual(['Accepted', 'Accepted'])
  expect(driver.session().partner).toEqual(PARTNER)
})

describe('OCPI-A10: what is asked', () => {
  const ask = (options: DriverOptions, input: Parameters<typeof partnerQuestion>[2], driver = new Driver(options)) => {
    const context = { now: driver.now, ...options, idTokens: driver.idTokens } as unknown as DecisionContext
    const { transactions, sessionsById: sessions, records, status } = driver
    const state = { accountId: 'account', chargePointId: 'CP', transactions, sessions, records, status }
    return partnerQuestion(state as unknown as ChargePointState, context, input)
  }
  const asking = of({ whitelist: 'NEVER' })

  it.each([
    ['a card that is shown', asking, shown(), { partnerId: 'p', uid: CARD.id, type: 'RFID' }],
    ['one that was asked about', asking, shown(UNKNOWN), undefined],
    ['one of our copy', of({ whitelist: 'ALLOWED' }), shown(), undefined],
    ['one of ours', { ...asking, idTokens: [{ id: CARD.id }] }, shown(), undefined],
    ['one of nobody', { partnerTokens: new Map() }, shown(), undefined],
    ['an account without partners', {}, shown(), undefined],
    ['a start', asking, started(0, { idToken: CARD }), { uid: CARD.id }],
    ['the end of a charge', asking, event(1, 0, 'ended', { idToken: CARD }), undefined],
    ['a stop', asking, event(1, 0, 'updated', { idToken: CARD, trigger: 'StopAuthorized' }), undefined],
  ] as const)('%s', (_, options, input, expected) => {
    const question = ask(options as DriverOptions, input)
    if (expected) expect(question).toMatchObject(expected)
    else expect(question).toBeUndefined()
  })

  it('a contract that nobody pushed, of the party in it, where it is one of Plug & Charge', () => {
    const contractParty = { partnerId: 'p', countryCode: 'NL', partyId: 'EMP' }
    const options = { partnerTokens: new Map([['nlempc12345678x', { tokens: [], contractParty }]]) }
    const idToken = { id: 'NLEMPC12345678X', type: 'eMAID' }
    expect(ask(options, { kind: 'authorise', idToken })).toMatchObject({ ...contractParty, type: 'EMAID' })
    expect(ask(options, { kind: 'authorise', idToken: { ...idToken, type: 'ISO14443' } })).toBeUndefined()
  })
})
