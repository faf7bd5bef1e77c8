/** `simulate --partner`: a whole roaming charge, from the registration to the CDR. */
import { type CliContext, UsageError } from '../../src/server/cli/cli-context.ts'
import { untilSignal } from '../../src/server/cli/output/signals.ts'
import { visible } from '../../src/server/visible-text.ts'
import { createPartner, type Partner, type SentCommand } from '../partner/partner.ts'
import { isObject, type Json, objectsOf } from '../partner/wire.ts'
import { cdrLines, money } from '../partner/words.ts'
import type { ApiClient } from './api-client.ts'
import type { SimulateOptions } from './options.ts'
import { type Prepared, prepareRoaming } from './partner-setup.ts'

const DEFAULT_SECONDS = 20
/** A driver plugs in, and a meter value comes once a minute. */
const SESSION_TIMEOUT_SECONDS = 120

export interface Invitation {
  readonly versionsUrl: string
  readonly tokenA: string
  /** Where to charge; absent: at the first EVSE that is available. */
  readonly evse?: string | undefined
}

/** Chosen where the partner charges. */
interface Place {
  readonly location: Json
  readonly evse: Json
  readonly connectorId: string | undefined
}

/** Without an invitation: one that is made over the API, with all that a first charge needs. */
export async function runPartner(
  options: SimulateOptions,
  invitation: Invitation | { readonly api: ApiClient; readonly ocppUrl: string },
  context: CliContext,
): Promise<void> {
  const say = (text: string): void => context.note(visible(text))
  const seconds = options.duration ?? DEFAULT_SECONDS
  const signal = untilSignal(context)
  let prepared: Prepared | undefined
  let partner: Partner | undefined
  try {
    partner = await createPartner({ ocpi: options.ocpi, quirks: options.quirk ?? [] })
    if ('api' in invitation) prepared = await prepareRoaming({ ...invitation, seconds, say })
    const run = prepared ?? ('api' in invitation ? undefined : invitation)
    const charged = run && charge(partner, { evse: options.evse, ...run, seconds, say })
    const ended = await Promise.race([charged, signal.received])
    if (typeof ended !== 'object') throw new Error(`ended by ${ended} before the CDR came`)
    if (options.json) context.out(JSON.stringify({ ok: true, version: partner.version(), cdr: ended }))
    else for (const line of cdrLines(ended)) context.out(visible(line))
  } catch (error) {
    if (options.json) context.out(JSON.stringify({ ok: false, error: (error as Error).message }))
    throw error
  } finally {
    signal.dispose()
    await prepared?.close()
    await partner?.close()
  }
}

interface ChargeContext extends Invitation {
  readonly seconds: number
  readonly say: (text: string) => void
}

/** @returns the CDR. Rejects with a sentence that says which step failed, and what to do. */
async function charge(
  partner: Partner,
  { versionsUrl, tokenA, evse: named, seconds, say }: ChargeContext,
): Promise<Json> {
  say(`1 of 7  the partner NL-SIM listens at ${partner.versionsUrl}`)
  await partner.register(versionsUrl, tokenA)
  const names = objectsOf(partner.peer()?.roles).map(
    ({ country_code: country, party_id: id, business_details: who }) => {
      return `${String(country)}-${String(id)} ${isObject(who) ? String(who.name) : ''}`.trim()
    },
  )
  say(`2 of 7  registered with ${names.join(', ')}, OCPI ${partner.version()}`)
  const { objects: locations, pages } = await partner.pull('locations')
  const { objects: tariffs } = await partner.pull('tariffs')
  const places = placesOf(locations)
  const free = places.filter(({ evse }) => evse.status === 'AVAILABLE')
  say(
    `3 of 7  pulled ${count(locations.length, 'location')} in ${count(pages, 'page')}, ` +
      `${free.length} of ${count(places.length, 'EVSE')} available, ${count(tariffs.length, 'tariff')}`,
  )
  const place = chosen(places, free, named)
  const token = partner.tokens().find(({ type }) => type === 'APP_USER') ?? {}
  const pushed = await partner.pushToken(token)
  if (pushed.statusCode !== 1000)
    throw new Error(
      `the token was refused: HTTP ${pushed.status}, ${pushed.statusCode ?? 'no envelope'} ${pushed.message ?? ''}`,
    )
  say(`4 of 7  pushed the token ${String(token.uid)}`)
  const name = `${String(place.evse.evse_id ?? place.evse.uid)}, ${String(place.location.address)}`
  const { location, evse, connectorId } = place
  const started = await partner.start({ locationId: String(location.id), evseUid: String(evse.uid), connectorId })
  await accepted(partner, started, `5 of 7  START_SESSION at ${name}`, say)
  let shown = ''
  const session = (isWhole: (one: Json) => boolean, seconds: number): Promise<Json | undefined> =>
    partner.until(() => {
      const one = partner.objects('sessions').at(-1)
      const line =
        one && `        ${String(one.status)}: ${String(one.kwh)} kWh, ${money(one.total_cost, one.currency)}`
      if (line !== undefined && line !== shown) say(line)
      shown = line ?? shown
      return one && isWhole(one) ? one : undefined
    }, seconds)
  const running = await session(({ status }) => status !== 'PENDING', SESSION_TIMEOUT_SECONDS)
  if (!running) throw new Error(`no session came within ${SESSION_TIMEOUT_SECONDS} s: is a car plugged in at ${name}?`)
  const isOver = ({ status }: Json): boolean => status === 'COMPLETED' || status === 'INVALID'
  if (!(await session(isOver, seconds))) {
    const stopped = await partner.stop(String(running.id))
    await accepted(partner, stopped, `6 of 7  STOP_SESSION after ${seconds} s`, say)
  } else say('6 of 7  the charge ended by itself')
  const isOfSession = (one: Json): boolean => one.session_id === running.id
  const cdr =
    (await partner.until(() => partner.objects('cdrs').find(isOfSession), SESSION_TIMEOUT_SECONDS)) ??
    (await partner.pull('cdrs')).objects.find(isOfSession)
  if (!cdr) throw new Error(`no CDR came within ${SESSION_TIMEOUT_SECONDS} s after the end of ${String(running.id)}`)
  say('7 of 7  the CDR came')
  return cdr
}

async function accepted(partner: Partner, sent: SentCommand, step: string, say: (text: string) => void): Promise<void> {
  const { answer, response } = sent
  const result = response === 'ACCEPTED' ? await partner.resultOf(sent) : undefined
  const said = response ?? `HTTP ${answer.status}, ${answer.statusCode ?? 'no envelope'} ${answer.message ?? ''}`
  const line = `${step}: ${said}${response === 'ACCEPTED' ? `, the charge point: ${result ?? 'no result'}` : ''}`
  if (result !== 'ACCEPTED') throw new Error(line)
  say(line)
}

function placesOf(locations: readonly Json[]): readonly Place[] {
  return locations.flatMap((location) =>
    objectsOf(location.evses).map((evse) => {
      const [connector] = objectsOf(evse.connectors)
      return { location, evse, connectorId: connector && String(connector.id) }
    }),
  )
}

function chosen(places: readonly Place[], free: readonly Place[], named: string | undefined): Place {
  const place = named === undefined ? free[0] : places.find(({ evse }) => evse.uid === named || evse.evse_id === named)
  if (place) return place
  if (named !== undefined) throw new UsageError(`No location has an EVSE ${named}: give its uid or its EVSE id.`)
  throw new Error(
    'no EVSE is available: publish a location whose charge point is connected (pilotwire simulate --stay)',
  )
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
