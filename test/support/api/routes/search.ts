/** For tests of the search: a hundred rows whose attributes follow from their number. */

import { afterAll, beforeAll, expect } from 'vitest'
import type { TokenPrincipal } from '../../../../src/api/access/access.ts'
import { logIdAt } from '../../../../src/domain/message-log/log-id.ts'
import type { Command } from '../../../../src/domain/ports/storage-records.ts'
import { command, START, startApi, type TestApi } from '../testing.ts'

export const PATH = '/2/evse-controllers/CP1/commands/search'
export const FROM = '2026-08-01T00:00:00Z'
export const METHODS = ['Heartbeat', 'StatusNotification', 'MeterValues', 'StartTransaction']
export const STATUSES = ['success', 'error', 'timeout', 'dropped', 'pending'] as const

export interface Page {
  readonly data: readonly { readonly id: string; readonly messageId: string; readonly createdAt: string }[]
  readonly meta: {
    readonly nextCursor?: string
    readonly total?: { readonly value: number; readonly isExact: boolean }
  }
}

/** Row n comes n·10 ms after the start; its attributes follow from n. */
function row(n: number): Command {
  const { answeredAt, response, ...base } = command(logIdAt(START + n * 10) + (n % 3))
  const status = STATUSES[n % 5] ?? 'success'
  return {
    ...base,
    messageId: `m${n}`,
    method: METHODS[n % 4] ?? '',
    ...(n % 3 !== 0 && { connectorId: n % 3 }),
    ...(n % 7 < 5 && { transactionId: n % 7 === 4 ? 'tx-4' : String(n % 7) }),
    status,
    ...(status === 'success' && response !== undefined && { response, answeredAt: answeredAt ?? 0 }),
    ...(n % 6 === 0 && { schemaErrors: '/a is required; /b must be of type string' }),
    ...(status === 'error' && { error: { code: 'GenericError', description: '=1+1', details: { n } } }),
  }
}

export const ROWS = 100
export const rows = Array.from({ length: ROWS }, (_, n) => row(n))

/** Their message ids, newest first. */
export const messages = (keep: (one: Command) => boolean): string[] =>
  rows
    .filter(keep)
    .map((one) => one.messageId)
    .reverse()

class SearchHouse {
  /** Whose token any `pwa_…` is. */
  token: TokenPrincipal | undefined
  #api: TestApi | undefined

  get api(): TestApi {
    if (!this.#api) throw new Error('The API stands within a test only.')
    return this.#api
  }

  async open(): Promise<void> {
    this.#api = await startApi({ parts: { verifyAccessToken: async () => this.token } })
    await this.api.addRows(rows)
    await this.api.addRows([command(logIdAt(START) + 5, { chargePointId: 'CP-OTHER', messageId: 'foreign' })])
  }

  readonly search = (body: unknown, path = PATH) => this.api.call('POST', path, body)

  readonly page = async (body: object): Promise<Page> => {
    const answer = await this.search(body)
    expect(answer.status, await answer.clone().text()).toBe(200)
    return answer.json()
  }

  readonly problem = async (body: unknown, path = PATH) => {
    const answer = await this.search(body, path)
    const { code, errors } = await answer.json()
    return { status: answer.status, code, pointer: errors?.[0]?.pointer }
  }
}

/** An API over those rows for the tests of a file. */
export function searchHouse(): SearchHouse {
  const house = new SearchHouse()
  beforeAll(() => house.open())
  afterAll(() => house.api.close())
  return house
}
