/** The behaviour of the storage port, whatever engine stands behind it: run against every one of them. */
import { describe, expect, it } from 'vitest'
import { accountBehaviour } from './accounts.ts'
import { administrationBehaviour } from './administration.ts'
import { batchBehaviour } from './batches.ts'
import { blockRecordBehaviour } from './block-records.ts'
import { chargePointBehaviour } from './charge-points.ts'
import { commitBehaviour } from './commit.ts'
import { deliveryBehaviour } from './deliveries.ts'
import { eventBehaviour } from './events.ts'
import { noteCalls } from './exercised.ts'
import { exportBehaviour } from './export.ts'
import { type PlaceOfStore, storeFixture } from './fixture.ts'
import { logPageBehaviour } from './log-page.ts'
import { moneyBehaviour } from './money.ts'
import { neighbourBehaviour } from './neighbours.ts'
import { limitMinuteBehaviour } from './network/limit-minutes.ts'
import { networkBehaviour } from './network/network.ts'
import { siteBehaviour } from './network/sites.ts'
import { networkLogBehaviour } from './network-log.ts'
import { numberBehaviour } from './numbers.ts'
import { oidcBehaviour } from './oidc.ts'
import { oidcRecordBehaviour } from './oidc-records.ts'
import { searchBehaviour } from './search.ts'
import { sessionListBehaviour } from './session-lists.ts'
import { sessionBehaviour } from './sessions.ts'
import { subscriptionBehaviour } from './subscriptions.ts'

/** `place` gives each test an empty database that survives being closed and opened again. */
export function describeStore(name: string, place: () => PlaceOfStore): void {
  describe(`storage on ${name}`, () => {
    const exercised = noteCalls()
    const fixture = storeFixture(place, exercised.noting)
    describe('accounts', () => accountBehaviour(fixture))
    describe('administration', () => administrationBehaviour(fixture))
    describe('charge points', () => chargePointBehaviour(fixture))
    describe('a network of them', () => networkBehaviour(fixture))
    describe('their sites, and their order', () => siteBehaviour(fixture))
    describe('the course of their limit groups', () => limitMinuteBehaviour(fixture))
    describe('commit', () => commitBehaviour(fixture))
    describe('look-ups of a group', () => batchBehaviour(fixture))
    describe('events', () => eventBehaviour(fixture))
    describe('numbers', () => numberBehaviour(fixture))
    describe('sessions', () => sessionBehaviour(fixture))
    describe('lists of sessions', () => sessionListBehaviour(fixture))
    describe('log', () => searchBehaviour(fixture))
    describe('log of a network', () => networkLogBehaviour(fixture))
    describe('a search in one operation', () => logPageBehaviour(fixture))
    describe('exports of the log', () => exportBehaviour(fixture))
    describe('OpenID Connect', () => oidcBehaviour(fixture))
    describe('applications, sign-ins and grants', () => oidcRecordBehaviour(fixture))
    describe('webhooks', () => subscriptionBehaviour(fixture))
    describe('deliveries', () => deliveryBehaviour(fixture))
    describe('tariffs, settlements and events', () => moneyBehaviour(fixture))
    describe('records of blocks', () => blockRecordBehaviour(fixture))
    describe('several at once', () => neighbourBehaviour(fixture))
    it('every operation of the port was exercised by the tests above', () => {
      expect(exercised.never()).toEqual([])
    })
  })
}
