import type { Payload } from '../../src/ocpp/translate/payload.ts'
import type { Behaviour } from '../charge-point.ts'
import type { FrameShape } from '../wire/frames.ts'

export const VERSIONS = ['1.6', '2.0.1', '2.1'] as const
export type Version = (typeof VERSIONS)[number]

export interface Quirk {
  readonly name: string
  readonly title: string
  /** Where this was met: a public page. */
  readonly reference: string
  readonly expected: string
  readonly versions: readonly Version[]
  /** What its stop says less than its meter, as the server then shows it. */
  readonly lessWh?: number
  readonly behaviour?: Behaviour
  /** Made for each station: a quirk may count. */
  readonly shape?: () => FrameShape
}

export const EVERY: readonly Version[] = VERSIONS
export const ONLY_16: readonly Version[] = ['1.6']
/** The versions with TransactionEvent and a device model. */
export const SINCE_201: readonly Version[] = ['2.0.1', '2.1']

/** @param page of GitHub */
export function quirk(
  name: string,
  page: string,
  versions: Quirk['versions'],
  { title, expected, ...misbehaves }: Omit<Quirk, 'name' | 'reference' | 'versions'>,
): Quirk {
  return { name, title, reference: `https://github.com/${page}`, expected, versions, ...misbehaves }
}

export function changing(method: string, change: (request: Payload) => Payload): () => FrameShape {
  return () => ({
    request: (name, request) => [{ method: name, request: name === method ? change(request) : request }],
  })
}

export function changingValues(change: (sample: Payload, method: string) => Payload | undefined): () => FrameShape {
  return () => ({ request: (method, request) => [{ method, request: withSamples(request, method, change) }] })
}

/** `meterValue` of MeterValues and TransactionEvent, `transactionData` of StopTransaction. */
export function withSamples(
  request: Payload,
  method: string,
  change: (sample: Payload, method: string) => Payload | undefined,
): Payload {
  const changed: Record<string, unknown> = { ...request }
  for (const member of ['meterValue', 'transactionData']) {
    const values = request[member]
    if (!Array.isArray(values)) continue
    changed[member] = values.map((value: Payload) => ({
      ...value,
      sampledValue: (value.sampledValue as Payload[]).map((sample) => change(sample, method)).filter(Boolean),
    }))
  }
  return changed
}

export function isRegister(sample: Payload): boolean {
  return sample.measurand === 'Energy.Active.Import.Register'
}

export function without(request: Payload, ...members: readonly string[]): Payload {
  return Object.fromEntries(Object.entries(request).filter(([name]) => !members.includes(name)))
}
