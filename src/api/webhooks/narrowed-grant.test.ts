/** What an application still sees of events and deliveries once its user shares less, or nothing any more. */
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { session, startApi, type TestApi } from '../../../test/support/api/testing.ts'
import { asToken, TOKEN } from '../../../test/support/api/webhooks/house.ts'
import { aboutSession } from '../../../test/support/domain/events/testing.ts'
import { aChargePoint, aUser } from '../../../test/support/storage-contract/records.ts'
import { sessionUpdated } from '../../domain/events/session-events.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import type { TokenPrincipal } from '../access/access.ts'

interface Listed {
  readonly id: string
  readonly kind: string
  readonly sessionId: string
}

let api: TestApi
let token: TokenPrincipal | undefined
/** Runs what a waiting request does next. */
let lookAgain: () => void
let waiting: Promise<void>

const sharing = (...chargePoints: readonly string[]): TokenPrincipal => ({ ...TOKEN, chargePoints })

beforeEach(async () => {
  token = sharing('CP1', 'CP2')
  let begun: () => void
  waiting = new Promise((resolve) => {
    begun = resolve
  })
  api = await startApi({
    parts: {
      resolve: async () => ['1.1.1.1'],
      verifyAccessToken: async () => token,
      after: (_ms, run) => {
        lookAgain = run
        begun()
        return () => undefined
      },
    },
  })
  await api.store.writes.createChargePoint(
    aChargePoint({ id: 'CP2', accountId: 'acc1', securityProfile: 0, createdAt: api.clock.now() }),
  )
})
afterEach(() => api.close())

async function record(chargePointId: string): Promise<void> {
  const time = api.clock.now()
  const id = newUuid(time, randomBytes)
  const data = JSON.stringify(sessionUpdated.of({ ...session(`s ${chargePointId}`), chargePointId }).data)
  const event = { id, accountId: 'acc1', ...aboutSession(`s ${chargePointId}`), chargePointId, time, data, causes: [] }
  await api.store.core.commit([{ chargePointId, events: [{ ...event, kind: 'transition' }] }])
}

const call = (method: string, path: string, body?: object) => api.call(method, path, body, asToken)

it('OIDC-C8: a request that waits for events ends with 401 when the grant ends meanwhile, and gets no event', async () => {
  const answer = call('GET', '/2/events?wait=10')
  await waiting
  token = undefined
  await record('CP1')
  lookAgain()
  expect((await answer).status).toBe(401)
})
it('OIDC-C7: a request that waits for events gets no event of a charge point that is not shared any more, and those of a new one', async () => {
  token = sharing('CP1')
  const answer = call('GET', '/2/events?wait=10')
  await waiting
  token = sharing('CP2')
  await record('CP1')
  await record('CP2')
  lookAgain()
  expect((await (await answer).json()).data).toMatchObject([{ data: { evseControllerId: 'CP2' } }])
})

it('OIDC-C7, HOOK-S3: the deliveries of a webhook of a charge point that is not shared any more are like unknown ones', async () => {
  await grantBoth()
  const hook = await (await call('POST', '/2/webhooks', { url: 'https://hooks.example/1' })).json<{ id: string }>()
  const path = `/2/webhooks/${hook.id}/deliveries`
  const deliveries = async () => (await (await call('GET', path)).json<{ data: Listed[] }>()).data
  await record('CP1')
  await record('CP2')
  await call('POST', `/2/webhooks/${hook.id}/test`)
  const [, ofSecond, ofFirst] = await deliveries()
  expect([ofSecond?.sessionId, ofFirst?.sessionId]).toEqual(['s CP2', 's CP1'])

  token = sharing('CP1')
  expect((await deliveries()).map(({ kind, sessionId }) => (kind === 'test' ? kind : sessionId))).toEqual([
    'test',
    's CP1',
  ])
  expect((await call('GET', `${path}/${ofFirst?.id}`)).status).toBe(200)
  expect((await call('GET', `${path}/${ofSecond?.id}`)).status).toBe(404)
  expect((await call('POST', `${path}/${ofSecond?.id}/redeliver`)).status).toBe(404)
})

it.each([
  ['shared until then', false, 1],
  ['not shared any more before', true, 0],
])('HOOK-S3, OIDC-C12: deliveries of a charge point that is removed, %s', async (_, isNarrowed, sent) => {
  await grantBoth()
  await call('POST', '/2/webhooks', { url: 'https://hooks.example/1' })
  const now = api.clock.now()
  await record('CP2')
  if (isNarrowed) await api.store.writes.selectChargePoints('g1', ['CP1'], now + 1)
  await api.store.writes.deleteChargePoint('acc1', 'CP2')
  const claims = await api.store.writes.claimDeliveries({ now: now + 1, leaseUntil: now + 1000 })
  expect(claims.deliveries).toHaveLength(sent)
})

/** As `token`: the events of a subscription are chosen by the grant in the database. */
async function grantBoth(): Promise<void> {
  const { writes } = api.store
  const now = api.clock.now()
  const client = { id: 'c1', kind: 'public', applicationType: 'web', name: 'App', origin: 'administrator' } as const
  const lists = { redirectUris: [], postLogoutRedirectUris: [], scopes: [], grantTypes: [], secrets: [] }
  await writes.createUser(aUser({ id: 'u1', accountId: 'acc1', email: 'u@x.y', passwordHash: 'x', createdAt: now }))
  await writes.createClient({ ...client, ...lists, links: {}, createdAt: now })
  const { scopes } = sharing()
  const whose = { userId: 'u1', clientId: 'c1', scopes }
  const code = { hash: 'h', familyId: 'f', redirectUri: '', codeChallenge: '', authTime: now, sid: 's', createdAt: now }
  await writes.approve({
    now,
    grant: { newId: 'g1', accountId: 'acc1', ...whose, chargePoints: ['CP1', 'CP2'] },
    code: { ...code, ...whose, expiresAt: now },
    mayWiden: true,
    ip: '192.0.2.1',
  })
}
