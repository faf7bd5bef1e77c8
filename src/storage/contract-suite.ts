/** The behaviour of the storage port, whatever engine stands behind it: run against every one of them. */
import { describe, expect, it } from 'vitest'
import { accountBehaviour } from './contract/accounts.ts'
import { administrationBehaviour } from './contract/administration.ts'
import { batchBehaviour } from './contract/batches.ts'
import { blockRecordBehaviour } from './contract/block-records.ts'
import { chargePointBehaviour } from './contract/charge-points.ts'
import { commitBehaviour } from './contract/commit.ts'
import { deliveryBehaviour } from './contract/deliveries.ts'
import { eventBehaviour } from './contract/events.ts'
import { noteCalls } from './contract/exercised.ts'
import { exportBehaviour } from './contract/export.ts'
import { type PlaceOfStore, storeFixture } from './contract/fixture.ts'
import { logPageBehaviour } from './contract/log-page.ts'
import { moneyBehaviour } from './contract/money.ts'
import { neighbourBehaviour } from './contract/neighbours.ts'
import { networkBehaviour } from './contract/network/network.ts'
import { siteBehaviour } from './contract/network/sites.ts'
import { networkLogBehaviour } from './contract/network-log.ts'
import { numberBehaviour } from './contract/numbers.ts'
import { oidcBehaviour } from './contract/oidc.ts'
import { oidcRecordBehaviour } from './contract/oidc-records.ts'
import { searchBehaviour } from './contract/search.ts'
import { sessionListBehaviour } from './contract/session-lists.ts'
import { sessionBehaviour } from './contract/sessions.ts'
import { subscriptionBehaviour } from './contract/subscriptions.ts'

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
    describe('tariffs, settlements, events and kept answers', () => moneyBehaviour(fixture))
    describe('records of blocks', () => blockRecordBehaviour(fixture))
    describe('several at once', () => neighbourBehaviour(fixture))
    it('every operation of the port was exercised by the tests above', () => {
      expect(exercised.never()).toEqual([])
    })
  })
}
