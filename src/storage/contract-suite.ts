/** The behaviour of the storage port, whatever engine stands behind it: run against every one of them. */
import { describe } from 'vitest'
import { accountBehaviour } from './contract/accounts.ts'
import { chargePointBehaviour } from './contract/charge-points.ts'
import { commitBehaviour } from './contract/commit.ts'
import { eventBehaviour } from './contract/events.ts'
import { exportBehaviour } from './contract/export.ts'
import { type PlaceOfStore, storeFixture } from './contract/fixture.ts'
import { numberBehaviour } from './contract/numbers.ts'
import { oidcBehaviour } from './contract/oidc.ts'
import { searchBehaviour } from './contract/search.ts'
import { sessionBehaviour } from './contract/sessions.ts'

/** `place` gives each test an empty database that survives being closed and opened again. */
export function describeStore(name: string, place: () => PlaceOfStore): void {
  describe(`storage on ${name}`, () => {
    const fixture = storeFixture(place)
    describe('accounts', () => accountBehaviour(fixture))
    describe('charge points', () => chargePointBehaviour(fixture))
    describe('commit', () => commitBehaviour(fixture))
    describe('events', () => eventBehaviour(fixture))
    describe('numbers', () => numberBehaviour(fixture))
    describe('sessions', () => sessionBehaviour(fixture))
    describe('log', () => searchBehaviour(fixture))
    describe('exports of the log', () => exportBehaviour(fixture))
    describe('OpenID Connect', () => oidcBehaviour(fixture))
  })
}
