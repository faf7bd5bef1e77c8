/** What the API shows of the signed values of a session (SIGNED-V1 to SIGNED-V3, SIGNED-X1). */
import { isoTime } from '../iso-time.ts'
import { type Opened, openSigned } from './container/opened.ts'
import { registerKwh, SignedEnergy } from './energy.ts'
import { type Ocmf, readOcmf } from './ocmf/read-ocmf.ts'
import { isBegin, isEnd, isEnergyFlagged, isGood } from './ocmf/reading.ts'
import type { SignedValue } from './records.ts'
import { type Verification, verifyOcmf } from './signature/verify.ts'

export type Moment = 'begin' | 'end' | 'other'

interface SignedValueView {
  readonly at: string
  readonly context: Moment
  readonly encodingMethod?: string | undefined
  readonly signingMethod?: string | undefined
  /** As it was sent, without the object that 1.6 stations put around it. */
  readonly signedData: string
  readonly publicKey?: string | undefined
  readonly verification: Verification
  /** The register that the value states, in kWh. */
  readonly energyKwh?: number | undefined
}

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
export async function viewOf(read: ReadSignedValue, register?: string): Promise<SignedValueView> {
  const { value, opened, ocmf, context, publicKey } = read
  const signingMethod = value.signingMethod ?? opened.signingMethod ?? ocmf?.signature.algorithm
  const encodingMethod = value.encodingMethod ?? opened.encodingMethod ?? (ocmf && 'OCMF')
  const energyKwh = ocmf && registerKwh(ocmf, context, register)
  return {
    at: isoTime(value.at),
    context,
    encodingMethod,
    signingMethod,
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
