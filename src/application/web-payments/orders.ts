/** Payments by QR code (OCPP21-C6): which EVSE a scanned code names, whether it holds now, and its session’s start. */

import { z } from '@hono/zod-openapi'
import type { VariableName } from '../../domain/device-model/records.ts'
import { MASKED, variableKey } from '../../domain/device-model/variable-names.ts'
import { isPasswordAt } from '../../domain/payments/one-time-password.ts'
import { possibleStations, readScannedCode } from '../../domain/payments/scanned-code.ts'
import type { ChargeLimits } from '../../domain/ports/id-tokens.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refuse, refuseFault } from '../../domain/refuse.ts'
import { REFERENCE } from '../../domain/typed-text.ts'
import { sealedBox } from '../../secrets/sealed-box.ts'
import type { UseCaseContext, WithSettings } from '../context.ts'
import { intentsOn } from '../intents/orders.ts'
import { amount } from '../schemas/charge-limits.ts'
import { typedText } from '../schemas/common.ts'
import { SessionSchema } from '../schemas/sessions.ts'

type PaymentContext = Pick<UseCaseContext, 'reads' | 'core' | 'now' | 'random'> & WithSettings<'secretKey'>

/** Long enough to plug in the cable. */
const TIMEOUT_SECONDS = 120
const more = (description: string) => amount(description).gt(0).optional()

const PARTS = ['evseControllerId', 'evseId', 'totp', 'version', 'maxtime', 'maxenergy', 'maxcost'] as const

export const WebPaymentSchema = z
  .strictObject({
    pspRef: typedText(REFERENCE).openapi({
      description: 'The reference of the payment service provider; the charge point names the payment by it.',
    }),
    url: z.string().max(2000).optional().openapi({ description: 'The address in the QR code, as it was scanned.' }),
    evseControllerId: z.string().optional(),
    evseId: z.int().min(1).optional(),
    totp: z.string().max(100).optional().openapi({ description: 'The one-time password in the QR code.' }),
    version: z.string().max(20).optional().openapi({ description: 'Of the one-time password.', example: '1' }),
    maxtime: more('Seconds that the charge may last.'),
    maxenergy: more('Watt-hours that the charge may take.'),
    maxcost: more('What the charge may cost, in the currency of the tariff.'),
    timeout: z.int().min(1).max(3600).default(TIMEOUT_SECONDS).openapi({
      description: 'Seconds for which the charge point keeps the EVSE for this driver.',
    }),
  })
  .refine((body) => PARTS.slice(0, 3).every((name) => (body[name] === undefined) === (body.url !== undefined)), {
    message: 'must be sent alone, or else evseControllerId, evseId and totp',
    path: ['url'],
  })
  .openapi('WebPayment')

export const StartedPaymentSchema = z
  .strictObject({ evseControllerId: z.string(), evseId: z.int(), session: SessionSchema })
  .openapi('StartedPayment')

interface Code extends Readonly<Partial<Record<LimitName, string | number | undefined>>> {
  readonly evseId: number
  readonly totp: string
  readonly version?: string | undefined
}

interface FoundCodes {
  readonly view: ChargePointView
  readonly settings: Settings
  /** Templates of several EVSEs may fit one address. */
  readonly codes: readonly Code[]
}

export async function startWebPayment(
  place: PaymentContext,
  accountId: string,
  { pspRef, url, timeout, ...named }: z.output<typeof WebPaymentSchema>,
): Promise<{ readonly chargePointId: string; readonly evseId: number; readonly session: Session } | Refusal> {
  const found = await (url === undefined ? namedCode(place, accountId, named) : scannedCodes(place, accountId, url))
  if ('refused' in found) return found
  const faults = found.codes.map((code) => faultOf(found.settings, code, place.now()))
  const chosen = found.codes[faults.indexOf(undefined)]
  if (!chosen) return faults[0] ?? noSuch('code')
  const limits = limitsOf(chosen)
  if ('refused' in limits) return limits
  const { evseId, totp } = chosen
  const chargePointId = found.view.id
  const payment = { pspRef, code: totp, timeoutSeconds: timeout }
  const session = await place.core.startSession({ accountId, chargePointId, evseId, payment, ...limits })
  return 'refused' in session ? { ...session, errors: undefined } : { chargePointId, evseId, session }
}

async function namedCode(
  place: PaymentContext,
  accountId: string,
  {
    evseControllerId = '',
    evseId = 0,
    totp = '',
    ...more
  }: Omit<z.output<typeof WebPaymentSchema>, 'pspRef' | 'timeout'>,
): Promise<FoundCodes | Refusal> {
  const view = await place.reads.findChargePoint(evseControllerId)
  if (view?.accountId !== accountId) return noSuch('charge point')
  return { view, settings: await settingsOf(place, view), codes: [{ evseId, totp, ...more }] }
}

async function scannedCodes(place: PaymentContext, accountId: string, url: string): Promise<FoundCodes | Refusal> {
  for (const id of possibleStations(url)) {
    const view = await place.reads.findChargePoint(id)
    if (view?.accountId !== accountId) continue
    const settings = await settingsOf(place, view)
    const codes = [...settings.values()].flatMap(({ name: { component, variable }, value }): readonly Code[] => {
      const read = variable.name.toLowerCase() === 'urltemplate' ? readScannedCode(url, value) : undefined
      if (!read || (read.station ?? id) !== id) return []
      const evseId = Number(read.evse ?? component.evseId)
      return Number.isSafeInteger(evseId) && evseId === (component.evseId ?? evseId) ? [{ ...read, evseId }] : []
    })
    if (codes.length > 0) return { view, settings, codes }
  }
  return refuse(404, 'not_found', 'No charge point of the account shows such a code.')
}

const COMPONENT = 'webpaymentsctrlr'
const MAX_LENGTH = 100

function faultOf(settings: Settings, { evseId, totp, version = '1' }: Code, now: number): Refusal | undefined {
  if (!/^v?1$/i.test(version)) {
    const detail = `Version ${version.slice(0, 20)} of the one-time password is unknown here: only 1 is checked.`
    return refuse(422, 'payment_version_unknown', detail)
  }
  const [secret = '', length, validity] = ['sharedsecret', 'length', 'validitytime'].map(
    (name) => (settings.get(`/${evseId}/${COMPONENT}.${name}`) ?? settings.get(`${COMPONENT}.${name}`))?.value,
  )
  const parameters = { secret, length: Number(length), validitySeconds: Number(validity) }
  const isUsable = parameters.length >= 1 && parameters.length <= MAX_LENGTH && parameters.validitySeconds >= 1
  if (secret === '' || !isUsable) {
    const detail = `SharedSecret, Length or ValidityTime of WebPaymentsCtrlr is not known of EVSE ${evseId}: set them with a configuration.`
    return refuse(422, 'payments_not_set_up', detail)
  }
  if (isPasswordAt(parameters, totp, now)) return undefined
  return refuse(422, 'payment_code_invalid', 'The code does not hold now: scan the one that is shown at the EVSE.')
}

type LimitName = 'maxtime' | 'maxenergy' | 'maxcost'
type Settings = ReadonlyMap<string, { readonly name: VariableName; readonly value: string }>

/** As desired, and where the station reports its own value as reported: its secret it never does. */
async function settingsOf(
  { reads, settings, random }: PaymentContext,
  { id: chargePointId, accountId }: ChargePointView,
): Promise<Settings> {
  const box = sealedBox(settings.secretKey, 'desiredValues', random)
  const found = new Map<string, { readonly name: VariableName; readonly value: string }>()
  for (const { variable: name, desired, isSecret } of await intentsOn({ reads }, chargePointId)) {
    const value = isSecret ? box.open(String(desired), accountId) : String(desired)
    const isOne = name?.component.name.toLowerCase() === COMPONENT && value !== undefined
    if (isOne) found.set(variableKey(name), { name, value })
  }
  for (const variableName of ['length', 'sharedsecret', 'urltemplate', 'validitytime']) {
    const where = { accountId, componentName: COMPONENT, variableName, chargePointId }
    for (const { key, name, value, gone } of await reads.listRecords('variables', { where, limit: MAX_EVSES })) {
      if (value && !gone && value !== MASKED) found.set(key, { name, value })
    }
  }
  return found
}

const MAX_EVSES = 1000

/** What one of each is as a limit: milliseconds, milli-watt-hours, micro-units. */
const LIMITS = {
  maxtime: ['durationMs', 1e3],
  maxenergy: ['energyMilliWh', 1e3],
  maxcost: ['costMicros', 1e6],
} as const

function limitsOf(code: Code): { readonly limits?: ChargeLimits } | Refusal {
  const limits: Record<string, number> = {}
  for (const name of ['maxtime', 'maxenergy', 'maxcost'] as const) {
    if (code[name] === undefined) continue
    const [limit, factor] = LIMITS[name]
    const value = Number(code[name])
    if (!(value > 0 && value <= 1e9))
      return refuseFault('/url', 'invalid_value', `has a ${name} that is no number above 0`)
    limits[limit] = Math.round(value * factor)
  }
  return Object.keys(limits).length > 0 ? { limits } : {}
}
