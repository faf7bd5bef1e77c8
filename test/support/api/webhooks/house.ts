/** An API with webhooks, an application's token and events, for tests. */
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach } from 'vitest'
import type { TokenPrincipal } from '../../../../src/api/access/access.ts'
import { sessionUpdated } from '../../../../src/domain/events/session-events.ts'
import { newUuid } from '../../../../src/domain/message-log/log-id.ts'
import type { NewEvent } from '../../../../src/domain/ports/storage-webhooks.ts'
import { aboutSession } from '../../domain/events/testing.ts'
import { session, startApi, type TestApi } from '../testing.ts'

export interface Hook {
  readonly id: string
  readonly secret: string
  readonly status: string
  readonly url: string
  readonly updates: string
  readonly filter: object
}

export const URL_1 = 'https://hooks.example/1'
export const asToken = { authorization: 'Bearer pwa_x' }

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'hooks.example': ['1.1.1.1'],
  'mixed.example': ['1.1.1.1', '10.0.0.1'],
}
export const TOKEN: TokenPrincipal = {
  kind: 'token',
  accountId: 'acc1',
  userId: 'u1',
  clientId: 'c1',
  grantId: 'g1',
  scopes: ['webhooks:manage', 'sessions:read'],
  chargePoints: ['CP1'],
}

class WebhookHouse {
  /** Whose token `asToken` is. */
  token = TOKEN
  /** How often the delivery loop was woken. */
  wakes = 0
  #api: TestApi | undefined

  get api(): TestApi {
    if (!this.#api) throw new Error('The API stands within a test only.')
    return this.#api
  }

  async open(): Promise<void> {
    this.token = TOKEN
    this.wakes = 0
    this.#api = await startApi({
      settings: { webhookAllowPrivate: ['127.0.0.0/8'] },
      parts: {
        resolve: async (name) => ADDRESSES[name] ?? Promise.reject(new Error('ENOTFOUND')),
        verifyAccessToken: async () => this.token,
        deliveries: {
          wake: () => {
            this.wakes++
          },
          statistics: () => ({ inFlight: 0, succeeded: 3, failed: 1 }),
        },
      },
    })
  }

  create(body: object = { url: URL_1 }, headers = {}) {
    return this.api.call('POST', '/2/webhooks', body, headers)
  }

  async created(body?: object): Promise<Hook> {
    return (await this.create(body)).json<Hook>()
  }

  async record(change: Partial<NewEvent> = {}): Promise<NewEvent> {
    const now = this.api.clock.now()
    const id = newUuid(now, randomBytes)
    const event: NewEvent = {
      id,
      accountId: 'acc1',
      ...aboutSession(change.subject ?? 's1'),
      chargePointId: 'CP1',
      kind: 'transition',
      time: now,
      data: JSON.stringify(sessionUpdated.of(session('s1')).data),
      causes: [4096],
      ...change,
    }
    const [result] = await this.api.store.core.commit([{ chargePointId: event.chargePointId, events: [event] }])
    if (result && !result.ok) throw result.error
    return event
  }
}

/** One for each test of the suite that calls this. */
export function webhookHouse(): WebhookHouse {
  const house = new WebhookHouse()
  beforeEach(() => house.open())
  afterEach(() => house.api.close())
  return house
}
