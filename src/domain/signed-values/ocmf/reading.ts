/** The readings of an OCMF payload (OCMF 1.4.1, readings): what is left out is what it was in the one before. */

export interface OcmfReading {
  readonly at?: number | undefined
  /** `U` not known, `I` informative, `S` synchronised, `R` counted from an informative time. */
  readonly timeStatus?: string | undefined
  /** TX: `B` begins the transaction, `E L R A P` end it. */
  readonly reason?: string | undefined
  readonly value?: number | undefined
  /** Digits behind the point as the meter wrote them: zeros count. */
  readonly decimals?: number | undefined
  readonly unit?: string | undefined
  readonly identification?: string | undefined
  readonly currentType?: string | undefined
  /** `E` energy and `t` time are not to be billed. */
  readonly errorFlags?: string | undefined
  readonly status?: string | undefined
}

/** More readings of a value of 1 MiB are never needed; the signature covers them all the same. */
const READINGS_READ = 10_000

export function ocmfReadings(entries: unknown): readonly OcmfReading[] {
  const readings: OcmfReading[] = []
  let before: OcmfReading = {}
  if (!Array.isArray(entries)) return readings
  for (const entry of entries.slice(0, READINGS_READ) as readonly unknown[]) {
    before = reading(isObject(entry) ? entry : {}, before)
    readings.push(before)
  }
  return readings
}

function reading(entry: Members, before: OcmfReading): OcmfReading {
  const said = text(entry.TM)
  return {
    ...(said === undefined ? { at: before.at, timeStatus: before.timeStatus } : ocmfTime(said)),
    reason: text(entry.TX) ?? before.reason,
    ...(entry.RV === undefined ? { value: before.value, decimals: before.decimals } : ocmfValue(entry.RV)),
    unit: text(entry.RU) ?? before.unit,
    identification: text(entry.RI) ?? before.identification,
    currentType: text(entry.RT) ?? before.currentType,
    errorFlags: typeof entry.EF === 'string' ? entry.EF : before.errorFlags,
    status: text(entry.ST) ?? before.status,
  }
}

/** As text where it was written with zeros that a number would lose. */
function ocmfValue(said: unknown): Pick<OcmfReading, 'value' | 'decimals'> {
  const [, fraction = '', exponent = '0'] = /^[^.e]*(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(text(said) ?? '') ?? []
  return { value: number(said), decimals: fraction.length - Number(exponent) }
}

/** `2018-07-24T13:22:04,000+0200 S` */
function ocmfTime(said: string): Pick<OcmfReading, 'at' | 'timeStatus'> {
  const status = /\s*([UISR])$/.exec(said.slice(-4))
  return { at: time(status ? said.slice(0, -status[0].length) : said), timeStatus: status?.[1] }
}

const ENDS = ['E', 'L', 'R', 'A', 'P']

export function isBegin({ reason }: OcmfReading): boolean {
  return reason === 'B'
}

export function isEnd({ reason }: OcmfReading): boolean {
  return reason !== undefined && ENDS.includes(reason)
}

/** The meter worked, as far as it says. */
export function isGood({ status = 'G' }: OcmfReading): boolean {
  return status === 'G'
}

/** Its energy is not to be billed. An exception (`X`) that does not say what it spoils spoils both. */
export function isEnergyFlagged({ reason, errorFlags = '' }: OcmfReading): boolean {
  return errorFlags.includes('E') || (reason === 'X' && errorFlags === '')
}

/** Watt-hours become kilowatt-hours; undefined for what is no energy. */
export function readingKwh({ value, unit }: OcmfReading): number | undefined {
  if (value === undefined) return undefined
  const name = unit?.toLowerCase()
  if (name === 'kwh') return value
  return name === 'wh' ? value / 1000 : undefined
}

/** Reading a JSON object that no schema vouches for: whatever stands there, the answer is a value or none. */
export type Members = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Trimmed; numbers as text; undefined for empty text and everything else. */
export function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return undefined
  const trimmed = value.trim()
  return trimmed === '' ? undefined : trimmed
}

/** Also from text. */
function number(value: unknown): number | undefined {
  const said = text(value)
  const parsed = said === undefined ? Number.NaN : Number(said)
  return Number.isFinite(parsed) ? parsed : undefined
}

/** `2018-07-24T13:22:04,000+0200`; undefined for what is no point in time. Without a zone it is UTC. */
function time(value: string): number | undefined {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:[,.](\d{1,9}))?\s*(Z|[+-]\d\d:?\d\d)?$/.exec(value.slice(0, 64))
  if (!match) return undefined
  const [, day, clock, fraction = '0', zone = 'Z'] = match
  const offset = zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(-2)}`
  const at = Date.parse(`${day}T${clock}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`)
  return Number.isNaN(at) ? undefined : at
}
