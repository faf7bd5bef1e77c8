/**
 * From a finished charge to the session the API shows. OCPP tells a station only the transaction id, so the session is
 * found by charge point; without an API credential the person gets the lines to find it.
 */

import { grouped } from '../../src/domain/grouped.ts'
import { isoTime } from '../../src/domain/iso-time.ts'
import type { Assertion } from '../scenarios/engine/run.ts'
import { mismatch } from '../scenarios/engine/words.ts'
import type { ApiClient } from './api-client.ts'
import type { ChargedSession } from './run-fleet.ts'

/** `ws://host:8080/ocpp` belongs to the API at `http://host:8080`. */
export function apiAddress(ocppUrl: string): string {
  const url = new URL(ocppUrl)
  const path = url.pathname.replace(/\/ocpp\/?$/, '').replace(/\/$/, '')
  return `${url.protocol === 'wss:' ? 'https:' : 'http:'}//${url.host}${path}`
}

/** The search goes by the server's clock, the charge by ours: a minute covers an ordinary difference. */
const CLOCK_DIFFERENCE_MS = 60_000

const AUTHORIZATION = '-H "Authorization: Bearer $PILOTWIRE_API_CREDENTIAL"'
const JSON_BODY = "-H 'Content-Type: application/json'"

/** A command that lets a refused card charge; undefined where the card is not the reason. */
export function cardLine(apiUrl: string, idToken: string, status: string | undefined): string | undefined {
  if (status === 'ConcurrentTx') return undefined
  // Both versions name a card that is known but may not charge; unknown is Invalid in 1.6 and Unknown in 2.0.1.
  const isUnknown = status === undefined || status === 'Invalid' || status === 'Unknown'
  if (isUnknown) return `curl ${AUTHORIZATION} ${JSON_BODY} -d ${quoted({ id: idToken })} '${apiUrl}/2/id-tokens'`
  const change = quoted({ status: 'Accepted', expiresAt: null })
  const address = `${apiUrl}/2/id-tokens/${encodeURIComponent(idToken).replaceAll("'", '%27')}`
  return `curl -X PATCH ${AUTHORIZATION} ${JSON_BODY} -d ${change} '${address}'`
}

function quoted(body: object): string {
  return `'${JSON.stringify(body).replaceAll("'", "'\\''")}'`
}

/** What helps with a connection that failed where the server is Pilotwire; another server has other commands. */
export function hintFor(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
  if (code === 'ECONNREFUSED') return '`pilotwire serve` starts a server (in a checkout: `npm start`)'
  if (code === 400) return '`PILOTWIRE_OCPP_VERSIONS=1.6,2.0.1,2.1` lets a server speak OCPP 2.1 as well'
  if (code === 401) return '`pilotwire charge-point set-password` sets a new password'
  if (code === 404) return '`pilotwire charge-point add` adds the charge point; the address ends in /ocpp'
  return undefined
}

export interface ShownCharge {
  readonly evseControllerId: string
  readonly transactionId?: string
  readonly startedAt: number
}

export function curlLines(apiUrl: string, charge: ShownCharge): readonly string[] {
  const id = encodeURIComponent(charge.evseControllerId)
  const body = quoted({
    from: isoTime(charge.startedAt - CLOCK_DIFFERENCE_MS),
    transactionId: charge.transactionId,
  })
  return [
    `curl ${AUTHORIZATION} '${apiUrl}/2/sessions?evseControllerId=${id}&limit=1'`,
    `curl ${AUTHORIZATION} ${JSON_BODY} -d ${body} '${apiUrl}/2/evse-controllers/${id}/commands/search'`,
  ]
}

const TIMEOUT_MS = 10_000
const LOOK_AGAIN_MS = 100
const SIDE_BY_SIDE = 8
const MAX_NAMED = 5

/**
 * Throws ApiFailure where the API itself fails.
 * @param lessWh what the stations say less of each charge than their meters
 */
export async function compareEnergies(
  api: ApiClient,
  charged: readonly ChargedSession[],
  lessWh: number,
): Promise<Assertion> {
  const byStation = grouped(charged, ({ evseControllerId }) => evseControllerId)
  const open = [...byStation]
  const faults: string[] = []
  const giveUpAt = Date.now() + TIMEOUT_MS
  const worker = async (): Promise<void> => {
    for (let entry = open.shift(); entry; entry = open.shift()) {
      const [id, charges] = entry
      const energies = charges.map(({ energyKwh }) => Math.max(0, Math.round(energyKwh * 1000) - lessWh) / 1000)
      let fault = await difference(api, id, energies)
      while (fault !== undefined && Date.now() < giveUpAt) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
        fault = await difference(api, id, energies)
      }
      if (fault !== undefined) faults.push(`${id}: ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker))
  const name = 'the API shows the energy of every meter'
  if (faults.length === 0) return { name, ok: true }
  const named = faults.slice(0, MAX_NAMED).join('; ')
  return { name, ok: false, detail: `${faults.length} of ${byStation.size} stations differ: ${named}` }
}

async function difference(api: ApiClient, id: string, energies: readonly number[]): Promise<string | undefined> {
  const shown = await api.sessions(id)
  return mismatch(
    energies.map((energyKwh) => ({ state: 'completed', energyKwh })),
    shown,
    'the API',
  )
}
