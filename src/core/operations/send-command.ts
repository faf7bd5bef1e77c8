/** One command, validated before it is queued (OCPP-RP13, SESSION-O1, SESSION-O4 to SESSION-O6, SESSION-O11). */

import { chargingFaults } from '../../domain/charging/checks.ts'
import { type Brought, foreignFaults } from '../../domain/charging/foreign.ts'
import { type ChargingView, isOurId } from '../../domain/charging/plan.ts'
import type { ChargingOrder } from '../../domain/charging/profile.ts'
import type { StoredProfile } from '../../domain/charging/records.ts'
import { withLimit } from '../../domain/charging/reported.ts'
import { nameText, variableKey } from '../../domain/device-model/variable-names.ts'
import type { DropCommandsOrder, SendCommandOrder, SentCommand } from '../../domain/ports/core.ts'
import type { Command, Refusal } from '../../domain/ports/storage-records.ts'
import { refuse } from '../../domain/refuse.ts'
import { mayWait, objectionTo } from '../../ocpp/orders/objection.ts'
import { inParts, joinedAnswer, type ListInRequest } from '../../ocpp/translate/parts.ts'
import { type OutgoingCall, object, type Payload } from '../../ocpp/translate/payload.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { UNSENT } from '../outbound/call-outcome.ts'
import { abandonPassword, beginPasswordChange, orderCall } from '../outbound/order-call.ts'
import { settle, watchExpiry } from '../outbound/outbound.ts'
import { OUTGOING_LIMIT } from '../outbound/outgoing-queue.ts'
import { viewOf } from '../reconcile/charging/charging.ts'
import { type FoundStation, findStation, QUEUE_FULL, refusalOf, refuseWhenAway } from './find-station.ts'

const DEFAULT_TTL_MS = 24 * 3600_000

export async function sendCommand(context: CoreContext, order: SendCommandOrder): Promise<SentCommand | Refusal> {
  const found = await findStation(context, order.accountId, order.chargePointId)
  if ('refused' in found) return found
  const refusal = refuseCommand(context, found, order) ?? (await unlistedOption(context, found, order))
  if (refusal) return refusal
  const { method, request } = order
  const rule = found.version.toChargePoint[method]?.list
  const calls = partsOf(found.station, { method, request }, rule)
  if ('refused' in calls) return calls
  // The outcome of a bulk order is in its last part: until that is stored, all parts are sent again.
  const last = calls.length - 1
  const rows = await Promise.all(
    calls.map((call, index) => sendOne(context, found, order, call, index === last ? order.bulkOrderId : undefined)),
  )
  const sent: Command[] = []
  for (const row of rows) {
    if ('refused' in row) return row
    sent.push(row)
  }
  return joined(sent, rule)
}

async function sendOne(
  context: CoreContext,
  found: FoundStation,
  order: SendCommandOrder,
  call: OutgoingCall,
  bulkOrderId: string | undefined,
): Promise<Command | Refusal> {
  const { station } = found
  const password = await beginPasswordChange(context, found, call)
  const { answered, whenAnswered } = waiting(context, order.waitMs)
  try {
    const row = await orderCall(context, {
      stationId: station.id,
      call,
      purpose: {
        kind: 'command',
        password,
        grantId: order.grantId,
        bulkOrderId,
      },
      ...(bulkOrderId !== undefined && {
        inputOf: (commandId) => ({ kind: 'bulkSent', orderId: bulkOrderId, commandId }),
      }),
      expiresAt: context.clock.now() + (order.ttlMs ?? DEFAULT_TTL_MS),
      answered,
    })
    return (await whenAnswered) ?? row
  } catch (error) {
    // Never sent, so the station cannot have the new password: only the old one stays valid.
    if (password) abandonPassword(context, found, call, password)
    return refusalOf(error)
  }
}

function refuseCommand(
  context: CoreContext,
  { station, version }: FoundStation,
  order: SendCommandOrder,
): Refusal | undefined {
  const { registrationStatus } = station.chargePoint
  const isBooted = station.state?.status.bootedAt !== undefined
  const objection = objectionTo(order, version, { registrationStatus, isBooted }, order.capabilities)
  const { pointer, readOrder } = version.charging
  const charging = chargingObjection(
    context,
    station,
    version,
    readOrder(order),
    false,
    (at) => `/request${pointer(at, order)}`,
  )
  return objection ?? charging ?? (mayWait(order.method) ? undefined : refuseWhenAway(station, order.ttlMs))
}

/** OCPP21-B12 */
async function unlistedOption(
  { store }: CoreContext,
  { station, version }: FoundStation,
  order: SendCommandOrder,
): Promise<Refusal | undefined> {
  const option = version.listedOption?.(order)
  if (!option) return undefined
  const where = { chargePointId: station.id, key: variableKey(option.variable) }
  const [row] = await store.listRecords('variables', { where, limit: 1 })
  const { value = '', characteristics } = row?.gone ? {} : (row ?? {})
  const listed = [value, characteristics?.valuesList ?? ''].flatMap((text) => text.split(','))
  const known = [...new Set(listed.map((one) => one.trim()).filter(Boolean))]
  if (known.includes(option.value)) return undefined
  const name = nameText(option.variable)
  const message =
    known.length > 0
      ? `must be one of ${known.join(', ')}, which the charge point lists in ${name}`
      : `must stand in ${name}, and the charge point lists nothing there: ask it for a report of its device model first`
  const pointer = `/request${option.pointer}`
  return refuse(422, 'invalid_request', `${pointer} ${message} (${option.clause}).`, [
    { pointer, code: option.clause, message },
  ])
}

/** SESSION-O1: the answered row; undefined on a time-out. */
export function waiting<Answer = Command>(
  context: CoreContext,
  waitMs: number,
): { answered: (answer: Answer) => void; whenAnswered: Promise<Answer | undefined> } {
  let resolve: (answer: Answer | undefined) => void = () => undefined
  const whenAnswered = new Promise<Answer | undefined>((done) => {
    resolve = done
  })
  const cancel = waitMs > 0 ? context.clock.after(waitMs, () => resolve(undefined)) : undefined
  if (waitMs <= 0) resolve(undefined)
  return {
    whenAnswered,
    answered(row) {
      cancel?.()
      resolve(row)
    },
  }
}

// Sends a command too long for its charge point in parts, each with its log row (SESSION-O11).

/** Longer orders are for reports or configurations. */
const MAX_PARTS = 20

function partsOf(
  { id: chargePointId, state, outgoing }: Station,
  { method, request }: OutgoingCall,
  rule: ListInRequest | undefined,
): readonly OutgoingCall[] | Refusal {
  if (!rule) return [{ method, request }]
  const limits = state?.records.find('device_models', { chargePointId })?.limits ?? {}
  const parts = inParts(request, rule, limits)
  const [most, bytes] = [limits[rule.most], rule.bytes && limits[rule.bytes]]
  const isTooLong = parts.length > (rule.results.length > 0 ? MAX_PARTS : 1)
  if (isTooLong) {
    const size = [most && `${most} items`, bytes && `${bytes} bytes`].filter(Boolean).join(' and ')
    const way = rule.results.length > 0 ? 'in several commands, or as a configuration' : 'in several commands'
    return refuse(
      422,
      'too_many',
      `The charge point takes at most ${size} in one ${method}, as its device model says: send it ${way}.`,
      [{ pointer: `/request/${rule.member}`, message: `has more than the ${size} that the charge point takes` }],
    )
  }
  if (parts.length > 1 && outgoing.size + parts.length > OUTGOING_LIMIT) {
    return QUEUE_FULL
  }
  return parts.map((part) => ({ method, request: part }))
}

/** One command with the answers of all parts, answered with the last. */
function joined(rows: readonly Command[], rule: ListInRequest | undefined): SentCommand {
  const [first] = rows
  if (!first) throw new Error('A command has at least one part.')
  if (rows.length === 1 || !rule) return first
  const { member } = rule
  const requests = rows.map(({ request }) => read(request))
  const request = JSON.stringify({ ...requests[0], [member]: requests.flatMap((each) => each[member]) })
  const reported = rows.find(({ status }) => status === 'pending') ?? rows.find(({ status }) => status !== 'success')
  const parts = rows.map(({ id }) => id)
  if (reported) {
    const { status, error, answeredAt } = reported
    const failure = { ...(error && { error }), ...(answeredAt !== undefined && { answeredAt }) }
    return { ...bare(first), request, status, ...failure, parts }
  }
  const answers = rows.map(({ response = '{}' }) => read(response))
  const schemaErrors = rows.find((row) => row.schemaErrors !== undefined)?.schemaErrors
  return {
    ...bare(first),
    request,
    status: 'success',
    response: JSON.stringify(joinedAnswer(answers, rule)),
    answeredAt: Math.max(...rows.map(({ answeredAt = 0 }) => answeredAt)),
    schemaErrors,
    parts,
  }
}

function bare({ response: _, error: _e, answeredAt: _a, schemaErrors: _s, ...row }: Command): Command {
  return row
}

function read(text: string): Payload {
  return object(JSON.parse(text))
}

// Drops an application's waiting orders with its grant (OIDC-C13); their rows say that they were never sent.

/** @throws storage errors: the orders may then still be sent */
export async function dropCommands(
  context: CoreContext,
  { accountId, chargePointId, grantId }: DropCommandsOrder,
): Promise<void> {
  const { stations, engine } = context
  const station = stations.current(chargePointId) ?? (await stations.load(chargePointId))
  if (station?.chargePoint.accountId !== accountId) return
  const ended = station.outgoing.takeWaiting(
    ({ stored: { purpose } }) => purpose.kind === 'command' && purpose.grantId === grantId,
  )
  if (ended.length === 0) return
  for (const call of ended) settle(context, station, call, UNSENT)
  watchExpiry(context, station)
  // Jobs of one charge point are committed in order.
  await new Promise<void>((resolve, reject) => {
    engine.enqueue({
      stationId: chargePointId,
      committed: () => resolve(),
      failed: reject,
    })
  })
}

// Why a command about charging profiles is not sent (CHARGING-P2), for raw commands and raw profiles alike.

/** @param waits sent once ours lies above it (GROUP-A2) @param pointerOf from 2.0.1's spelling to the caller's body */
export function chargingObjection(
  { settings, clock }: Pick<CoreContext, 'settings' | 'clock'>,
  station: Station,
  { charging }: OcppVersion,
  order: ChargingOrder | undefined,
  waits: boolean,
  pointerOf: (pointer: string) => string,
): Refusal | undefined {
  if (!station.state || !order) return undefined
  const view = viewOf(station, settings, clock.now())
  const { needs, abilities, isUnsupported } = view.station ?? {}
  const faults = chargingFaults(order, {
    profiles: view.profiles.filter(mayBeThere),
    transactions: view.charges,
    evses: view.evses,
    hasNeeds: (evseId) => {
      const need = needs?.[evseId]
      const charge = view.charges.find((one) => one.evseId === evseId)
      return need !== undefined && (need.transactionId ?? charge?.transactionId) === charge?.transactionId
    },
    isStrict: charging.isStrict,
    abilities: isUnsupported ? { smartCharging: false } : abilities,
  })
  const brings = order.kind === 'set' || order.kind === 'start'
  const ours = isOurId(brings ? order.profile.id : order.kind === 'update' ? order.id : 0, abilities)
  const place = brings ? '/chargingProfile/id' : '/chargingProfileId'
  const all = [
    ...(ours ? [{ clause: 'K01.FR.05', pointer: place, message: OURS }] : []),
    ...faults,
    ...broughtBy(order, view).flatMap((one) => [...foreignFaults(one, view, waits)]),
  ]
  if (all.length === 0) return undefined
  const errors = all.map(({ clause, pointer, message }) => ({ pointer: pointerOf(pointer), code: clause, message }))
  const detail = errors.map(({ pointer, code, message }) => `${pointer} ${message} (${code}).`).join(' ')
  return refuse(422, 'charging_profile_refused', detail, errors)
}

function broughtBy(order: ChargingOrder, { profiles }: ChargingView): readonly Brought[] {
  if (order.kind === 'set' || order.kind === 'start') return [order]
  if (order.kind !== 'update') return []
  return profiles.flatMap((row): readonly Brought[] => {
    const profile = withLimit(row, order)
    return profile ? [{ kind: 'set', evseId: row.evseId, profile }] : []
  })
}

function mayBeThere({ state, acceptedAt }: StoredProfile): boolean {
  return state !== 'refused' || acceptedAt !== undefined
}

const OURS = 'is kept for profiles of limits: take another one'
