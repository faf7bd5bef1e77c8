/** What the API shows of the signed values of a session (SIGNED-V1 to SIGNED-V3, SIGNED-X1). */
import { isoTime } from '../iso-time.ts'
import { base64Bytes, type Encoding, hexBytes, utf8Text } from './container/bytes.ts'
import { type Envelope, readEnvelope } from './container/json-envelope.ts'
import { type Ocmf, readOcmf } from './ocmf/read-ocmf.ts'
import { isBegin, isEnd, isEnergyFlagged, isGood, type OcmfReading, readingKwh } from './ocmf/reading.ts'
import type { SignedValue } from './records.ts'
import { namedCurve, readPublicKey, verifyOcmf } from './signature/verify.ts'

/** SIGNED-V3, SIGNED-V4: other OBIS codes are of no use, and a meter has a handful of registers. */
const REGISTERS_KEPT = 50

interface Register {
  begin?: number | undefined
  end?: number | undefined
  decimals: number
}

class SignedEnergy {
  readonly #registers = new Map<string, Register>()
  #isFlagged = false

  add({ readings }: Ocmf): void {
    for (const reading of readings) {
      if (isEnergyFlagged(reading) && !isExport(reading.identification)) this.#isFlagged = true
      const kwh = importKwh(reading)
      if (kwh === undefined) continue
      const register = this.#register(registerName(reading.identification))
      if (!register) continue
      register.decimals = Math.max(
        register.decimals,
        reading.unit?.toLowerCase() === 'wh' ? 3 : (reading.decimals ?? 0),
      )
      if (isBegin(reading)) register.begin ??= kwh
      if (isEnd(reading)) register.end = kwh
    }
  }

  /** What the meter flags once cannot be billed from then on, whatever it signs afterwards. */
  get isFlagged(): boolean {
    return this.#isFlagged
  }

  /** The register that is shown of the session's values; undefined while none has both begin and end. */
  get register(): string | undefined {
    return preferred(this.#complete().map(({ name }) => name))
  }

  /** Whether no register says what the session says: stations report the mains' energy, or what the car got. */
  differsFrom(sessionKwh: number): boolean {
    const complete = this.#isFlagged ? [] : this.#complete()
    return complete.length > 0 && complete.every((register) => differs(register, sessionKwh))
  }

  /** Those with begin and end; ones whose name says nothing only where no other is. */
  #complete(): readonly Complete[] {
    const complete = [...this.#registers].flatMap(([name, { begin, end, decimals }]) =>
      begin === undefined || end === undefined ? [] : [{ name, kwh: end - begin, decimals }],
    )
    const named = complete.filter(({ name }) => isImport(name))
    return named.length > 0 ? named : complete
  }

  #register(name: string): Register | undefined {
    const known = this.#registers.get(name)
    if (known || this.#registers.size >= REGISTERS_KEPT) return known
    const register: Register = { decimals: 0 }
    this.#registers.set(name, register)
    return register
  }
}

interface Complete {
  readonly name: string
  readonly kwh: number
  readonly decimals: number
}

/** Beyond what the digits leave open: both readings were rounded, and stations report whole watt-hours. */
function differs({ kwh, decimals }: Complete, sessionKwh: number): boolean {
  return Math.abs(kwh - sessionKwh) > WATT_HOURS + (decimals > 2 ? WATT_HOURS : HUNDREDTH) + EPSILON
}

const WATT_HOURS = 0.001
const HUNDREDTH = 0.01
const EPSILON = 1e-9

/** What is flagged must not be billed. */
function importKwh(reading: OcmfReading): number | undefined {
  const isUsable = isGood(reading) && !isEnergyFlagged(reading) && !isExport(reading.identification)
  return isUsable ? readingKwh(reading) : undefined
}

/** As the value states it for its moment: begin, end or newest. @param register common to begin and end */
function registerKwh({ readings }: Ocmf, moment: 'begin' | 'end' | 'other', register?: string): number | undefined {
  const isOwn = moment === 'begin' ? isBegin : isEnd
  const said = readings.some(isOwn) ? readings.filter(isOwn) : readings.filter((one) => !isBegin(one) && !isEnd(one))
  const metered = said.filter((reading) => importKwh(reading) !== undefined)
  const names = metered.map(({ identification }) => registerName(identification))
  const name = register !== undefined && names.includes(register) ? register : preferred(names)
  const at = moment === 'begin' ? names.indexOf(name ?? '') : names.lastIndexOf(name ?? '')
  const one = metered[at]
  return one && importKwh(one)
}

/** Energy that is imported, in the order of what is shown: totals first, and the car's before the mains'. */
const IMPORTS = ['b1', '1', 'b0', 'b3', 'b2']

/** Without leading zeros and without the storage number that says "now": one register, however it is written. */
function registerName(identification = ''): string {
  return identification
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/\b0(?=[0-9a-f])/g, '')
    .replace(/[*.&](?:ff|255)$/, '')
}

/** The first of them that says what is imported, else the first. */
function preferred(names: readonly string[]): string | undefined {
  const codes = names.map(quantity)
  const best = IMPORTS.find((code) => codes.includes(code))
  return names[best === undefined ? 0 : codes.indexOf(best)]
}

function isImport(name: string): boolean {
  return IMPORTS.includes(quantity(name) ?? '')
}

/** C0 to C3 and what is reserved for more of it. */
function isExport(identification: string | undefined): boolean {
  return /^(?:2|c[0-7])$/.test(quantity(registerName(identification)) ?? '')
}

function quantity(name: string): string | undefined {
  return /(?:^|[:-])([0-9a-f]{1,2})\.8\./.exec(name)?.[1]
}

export type Moment = 'begin' | 'end' | 'other'

export interface ReadSignedValue {
  readonly value: SignedValue
  readonly opened: Opened
  readonly ocmf?: Ocmf | undefined
  readonly context: Moment
  /** Its own, else the one that its meter had. */
  readonly publicKey?: string | undefined
}

/** @param keyOf the key that the value's meter had, asked where the value brings none */
export function readSignedValue(
  value: SignedValue,
  keyOf: (value: SignedValue) => string | undefined,
): ReadSignedValue {
  const opened = openSigned(value.data)
  const ocmf = opened.text === undefined ? undefined : readOcmf(opened.text)
  const publicKey = value.publicKey ?? opened.publicKey ?? keyOf(value) ?? ocmf?.publicKey
  return { value, opened, ocmf, context: momentOf(value.context, ocmf), publicKey }
}

/** What the message says, and where it says nothing what the meter signed. */
function momentOf(context: string, ocmf: Ocmf | undefined): Moment {
  const said = context.trim().toLowerCase()
  if (said === 'transaction.begin') return 'begin'
  if (said === 'transaction.end') return 'end'
  if (ocmf?.readings.some(isEnd)) return 'end'
  return ocmf?.readings.some(isBegin) ? 'begin' : 'other'
}

/** @param register which of a record's registers is shown, that of the session's begin and end (`SignedRecord`) */
export async function viewOf(read: ReadSignedValue, register?: string) {
  const { value, opened, ocmf, context, publicKey } = read
  const signingMethod = value.signingMethod ?? opened.signingMethod ?? ocmf?.signature.algorithm
  const encodingMethod = value.encodingMethod ?? opened.encodingMethod ?? (ocmf && 'OCMF')
  const energyKwh = ocmf && registerKwh(ocmf, context, register)
  return {
    at: isoTime(value.at),
    context,
    encodingMethod,
    signingMethod,
    // As it was sent, without the object that 1.6 stations put around it.
    signedData: opened.signedData,
    publicKey,
    verification: ocmf ? await verifyOcmf(ocmf, publicKey, value.signingMethod ?? opened.signingMethod) : 'unchecked',
    energyKwh,
  }
}

/** What all values of a session say together; fed with one after the other. */
export class SignedRecord {
  readonly #energy = new SignedEnergy()
  #hasBegin = false
  #hasEnd = false

  /** What the meter signed decides; only what cannot be read is believed to be what the message calls it. */
  add({ ocmf, context }: ReadSignedValue): void {
    if (ocmf) this.#energy.add(ocmf)
    const signed = ocmf?.readings.filter(({ reason }) => reason !== undefined)
    const isSaid = signed === undefined || signed.length === 0
    const usable = signed?.filter((one) => isGood(one) && !isEnergyFlagged(one)) ?? []
    if (isSaid ? context === 'begin' : usable.some(isBegin)) this.#hasBegin = true
    if (isSaid ? context === 'end' : usable.some(isEnd)) this.#hasEnd = true
  }

  get register(): string | undefined {
    return this.#energy.register
  }

  /** Undefined while the session is not over: its energy is not final. */
  summary(sessionKwh: number | undefined) {
    return {
      hasBegin: this.#hasBegin,
      hasEnd: this.#hasEnd && !this.#energy.isFlagged,
      energyDiffers: sessionKwh !== undefined && this.#energy.differsFrom(sessionKwh),
    }
  }
}

/** A stored value without its wrappings: JSON of 1.6 (SIGNED-F2), then hex or base64. The stored one never changes. */
interface Opened extends Omit<Envelope, 'data'> {
  /** The signed data as it was sent, without the object around it. */
  readonly signedData: string
  /** How `text` is written in it. */
  readonly encoding: Encoding
  /** The data as text; absent where its bytes are none. */
  readonly text?: string | undefined
}

/** An object in base64 in an object is the worst that was seen. */
const LAYERS = 3

export function openSigned(data: string): Opened {
  const envelope = readEnvelope(data)
  const signedData = envelope?.data ?? data
  return { ...envelope, signedData, ...decoded(signedData, LAYERS) }
}

function decoded(data: string, layers: number): Pick<Opened, 'encoding' | 'text'> {
  if (/^\s*(?:OCMF\s*\||<|\{|AP;)/.test(data)) return { encoding: 'plain', text: data }
  const hex = hexBytes(data)
  if (hex) return { encoding: 'hex', text: inner(hex, layers) }
  const base64 = base64Bytes(data)
  const text = base64 && inner(base64, layers)
  return text === undefined ? { encoding: base64 ? 'base64' : 'plain' } : { encoding: 'base64', text }
}

function inner(bytes: Buffer, layers: number): string | undefined {
  const text = utf8Text(bytes)
  if (text === undefined || layers <= 1) return text
  const within = readEnvelope(text)?.data ?? text
  return decoded(within, layers - 1).text ?? text
}

/** The S.A.F.E. transparency software's "XML Format": `values` of `value`, `signedData`, `publicKey` (SIGNED-X2). */
export const XML_BEGIN = '<?xml version="1.0" encoding="UTF-8"?>\n<values>\n'
export const XML_END = '</values>\n'

const CONTEXTS: Readonly<Record<Moment, string | undefined>> = {
  begin: 'Transaction.Begin',
  end: 'Transaction.End',
  other: undefined,
}

/** Names that the software knows, by the encoding methods of the field. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['ocmf', 'OCMF'],
  ['alfen', 'ALFEN'],
  ['pcdf', 'PCDF'],
  ['edl40', 'EDL_40_P'],
  ['edl40p', 'EDL_40_P'],
  ['edl40sig', 'EDL_40_SIG'],
  ['edl40mennekes', 'EDL_40_MENNEKES'],
  ['isaedl40p', 'ISA_EDL_40_P'],
])

/** @param transaction the number that ties begin and end together: the software takes digits only */
export function valueXml(read: ReadSignedValue, transaction: string): string {
  const context = CONTEXTS[read.context] ?? read.value.context
  const { body, encoding } = signedBody(read)
  const attributes = { format: formatOf(read), encoding, transactionId: transaction }
  const key = read.publicKey === undefined ? '' : `    ${publicKeyXml(read, read.publicKey)}\n`
  return `  <value${written({ transactionId: transaction, context })}>
    <signedData${written(attributes)}>${escaped(body)}</signedData>
${key}  </value>\n`
}

/** Text is shown as text; what XML cannot hold is shown in base64. */
function signedBody({ opened }: ReadSignedValue): { readonly body: string; readonly encoding: string } {
  const { text, encoding, signedData } = opened
  if (text !== undefined && isXmlText(text)) return { body: text.trim(), encoding: 'plain' }
  if (isXmlText(signedData)) return { body: signedData.trim(), encoding }
  return { body: Buffer.from(signedData).toString('base64'), encoding: 'base64' }
}

function formatOf({ ocmf, opened, value }: ReadSignedValue): string | undefined {
  if (ocmf) return 'OCMF'
  if (/^\s*AP;/.test(opened.text ?? '')) return 'ALFEN'
  const method = value.encodingMethod ?? opened.encodingMethod
  return method === undefined ? undefined : FORMATS.get(method.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
}

/** The software reads hex; an unreadable key is shown as it was sent. */
function publicKeyXml({ ocmf, value, opened }: ReadSignedValue, publicKey: string): string {
  const key = readPublicKey(publicKey, namedCurve(ocmf, value.signingMethod ?? opened.signingMethod))
  if (!key) return `<publicKey>${escaped(isXmlText(publicKey) ? publicKey.trim() : '')}</publicKey>`
  const hex = key.export({ type: 'spki', format: 'der' }).toString('hex').toUpperCase()
  return `<publicKey encoding="hex">${hex}</publicKey>`
}

function written(attributes: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined && isXmlText(value))
    .map(([name, value]) => ` ${name}="${escaped(value ?? '').replaceAll('"', '&quot;')}"`)
    .join('')
}

/** The characters of XML 1.0, without halves of pairs. */
function isXmlText(text: string): boolean {
  return !/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(text)
}

/** A carriage return would be read as a line feed, and the signature with it would be another one's. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;')
}
