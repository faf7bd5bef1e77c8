/** `simulate --partner`: a whole roaming charge, from the registration to the CDR. */
import { type CliContext, UsageError } from '../../src/server/cli/cli-context.ts'
import { untilSignal } from '../../src/server/cli/output/signals.ts'
import { visible } from '../../src/server/visible-text.ts'
import { createPartner, type Partner, type SentCommand } from '../partner/partner.ts'
import { type Json, objectOf, objectsOf, said } from '../partner/wire.ts'
import type { ApiClient } from './api-client.ts'
import type { SimulateOptions } from './options.ts'
import { prepareRoaming } from './partner-setup.ts'

const DEFAULT_SECONDS = 20
/** A driver plugs in, and a meter value comes once a minute. */
const TIMEOUT_SECONDS = 120

export interface Invitation {
  readonly versionsUrl: string
  readonly tokenA: string
  /** Where to charge; absent: at the first EVSE that is available. */
  readonly evse?: string | undefined
}

/** Without an invitation: one that is made over the API, with all that a first charge needs. */
export async function runPartner(
  options: SimulateOptions,
  given: Invitation | { readonly api: ApiClient; readonly ocppUrl: string },
  context: CliContext,
): Promise<void> {
  const say = (text: string): void => context.note(visible(text))
  const seconds = options.duration ?? DEFAULT_SECONDS
  const signal = untilSignal(context)
  const partner = await createPartner({ ocpi: options.ocpi, quirks: options.quirk ?? [] })
  let prepared: Awaited<ReturnType<typeof prepareRoaming>> | undefined
  try {
    if ('api' in given) prepared = await prepareRoaming({ ...given, seconds, say })
    const invitation = { evse: options.evse, ...(prepared ?? (given as Invitation)) }
    const ended = await Promise.race([charge(partner, invitation, seconds, say), signal.received])
    if (typeof ended !== 'object') throw new Error(`ended by ${ended} before the CDR came`)
    if (options.json) context.out(JSON.stringify({ ok: true, version: partner.version(), cdr: ended }))
    else for (const line of cdrLines(ended)) context.out(visible(line))
  } catch (error) {
    if (options.json) context.out(JSON.stringify({ ok: false, error: (error as Error).message }))
    throw error
  } finally {
    signal.dispose()
    await prepared?.close()
    await partner.close()
  }
}

/** @returns the CDR. Rejects with a sentence that says which step failed, and what to do. */
async function charge(
  partner: Partner,
  { versionsUrl, tokenA, evse: named }: Invitation,
  seconds: number,
  say: (text: string) => void,
): Promise<Json> {
  const carryOut = async (step: string, sent: SentCommand): Promise<void> => {
    const result = sent.response === 'ACCEPTED' ? await partner.resultOf(sent) : undefined
    const line = `${step}: ${String(sent.response ?? said(sent.answer))}, the charge point: ${String(result ?? 'nothing')}`
    if (result !== 'ACCEPTED') throw new Error(line)
    say(line)
  }
  say(`1 of 7  the partner listens at ${partner.versionsUrl}`)
  await partner.register(versionsUrl, tokenA)
  const names = objectsOf(partner.peer()?.roles).map((role) => String(objectOf(role.business_details).name))
  say(`2 of 7  registered with ${names.join(', ')}, OCPI ${partner.version()}`)
  const locations = await partner.pull('locations')
  const evses = locations.flatMap((one) => objectsOf(one.evses).map((evse): Json => ({ ...evse, location: one })))
  const free = evses.filter(({ status }) => status === 'AVAILABLE')
  const tariffs = await partner.pull('tariffs')
  say(`3 of 7  pulled ${free.length} available of ${evses.length} EVSEs, ${tariffs.length} tariffs`)
  const evse = named === undefined ? free[0] : evses.find(({ uid, evse_id: id }) => [uid, id].includes(named))
  if (!evse && named !== undefined) throw new UsageError(`No location has an EVSE ${named}: give its uid or EVSE id.`)
  if (!evse) throw new Error('no EVSE is available: publish a location whose charge point is online (simulate --stay)')
  const [token = {}] = [...partner.tokens.values()].filter(({ type }) => type === 'APP_USER')
  const pushed = await partner.pushToken(token)
  if (pushed.statusCode !== 1000) throw new Error(`the token was refused: ${said(pushed)}`)
  say(`4 of 7  pushed the token ${String(token.uid)}`)
  const place = { location_id: objectOf(evse.location).id, evse_uid: evse.uid }
  const started = await partner.start({ ...place, connector_id: objectsOf(evse.connectors)[0]?.id })
  await carryOut(`5 of 7  START_SESSION at ${String(evse.evse_id ?? evse.uid)}`, started)
  let shown = ''
  const session = (states: readonly unknown[], most: number): Promise<Json | undefined> =>
    partner.until(() => {
      const one = partner.objects('sessions').at(-1)
      if (!one) return undefined
      const line = `        ${String(one.status)}: ${String(one.kwh)} kWh, ${money(one)}`
      if (line !== shown) say(line)
      shown = line
      return states.includes(one.status) ? one : undefined
    }, most)
  const over = ['COMPLETED', 'INVALID']
  const running = await session(['ACTIVE', ...over], TIMEOUT_SECONDS)
  if (!running) throw new Error(`no session came within ${TIMEOUT_SECONDS} s: is a car plugged in?`)
  if (await session(over, seconds)) say('6 of 7  the charge ended by itself')
  else await carryOut(`6 of 7  STOP_SESSION after ${seconds} s`, await partner.stop(String(running.id)))
  const isOfSession = (one: Json): boolean => one.session_id === running.id
  const sent = await partner.until(() => partner.objects('cdrs').find(isOfSession), TIMEOUT_SECONDS)
  const cdr = sent ?? (await partner.pull('cdrs')).find(isOfSession)
  if (!cdr) throw new Error(`no CDR came within ${TIMEOUT_SECONDS} s after the end of ${String(running.id)}`)
  say('7 of 7  the CDR came')
  return cdr
}

function cdrLines(cdr: Json): readonly string[] {
  const place = objectOf(cdr.cdr_location)
  const token = objectOf(cdr.cdr_token)
  return [
    `CDR ${String(cdr.id)}`,
    `  place   ${[place.name, place.address, place.city].filter(Boolean).join(', ')}, EVSE ${String(place.evse_id)}`,
    `  token   ${String(token.uid)}, contract ${String(token.contract_id)}, by ${String(cdr.auth_method)}`,
    `  time    ${String(cdr.start_date_time)} to ${String(cdr.end_date_time)}`,
    ...objectsOf(cdr.charging_periods).map((period) => {
      const volumes = objectsOf(period.dimensions).map(({ type, volume }) => `${String(type)} ${String(volume)}`)
      return `    ${String(period.start_date_time)}  ${volumes.join(', ')}`
    }),
    `  energy  ${String(cdr.total_energy)} kWh in ${String(cdr.total_time)} h`,
    `  total   ${money(cdr)}`,
  ]
}

/** Of 2.2.1 (`excl_vat`, `incl_vat`) or of 2.3.0 (`before_taxes`, `taxes`). */
function money({ total_cost: cost, currency }: Json): string {
  const { excl_vat: net, incl_vat: gross, before_taxes: before, taxes } = objectOf(cost)
  const tax = objectsOf(taxes).map(({ amount }) => `${String(amount)} of tax`)
  const more = gross === undefined ? tax : [`${String(gross)} with tax`]
  return `${[net ?? before ?? 'no price', currency].join(' ')}${more.map((one) => ` (${one})`).join('')}`
}
