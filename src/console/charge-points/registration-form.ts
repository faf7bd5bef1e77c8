import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import type { RequestedChange } from '../../application/charge-points/change.ts'
import { type Labels, labelFault } from '../../application/charge-points/labels.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import { NAME, textFault } from '../../domain/typed-text.ts'
import { isProtocol, PROTOCOLS } from '../../ocpp/protocols.ts'
import { labelLines } from '../selector/selector-form.ts'

interface TypedRegistration {
  readonly name: string
  readonly securityProfile: 0 | 1 | 2 | 3
  readonly protocols: readonly string[]
  readonly validation: 'strict' | 'lenient' | 'off' | undefined
  readonly labels: Labels
  readonly faults: readonly Fault[]
}

const VALIDATIONS = ['strict', 'lenient', 'off'] as const

export function readRegistration(form: URLSearchParams): TypedRegistration {
  const text = (name: string): string => (form.get(name) ?? '').trim()
  const faults: Fault[] = []
  const fault = (name: string, message: string): void =>
    void faults.push({ pointer: `/${name}`, code: 'invalid_value', message })
  const name = text('name')
  const unusable = name === '' ? undefined : textFault(name, NAME)
  if (unusable) faults.push({ pointer: '/name', ...unusable })
  const profile = ([0, 1, 2, 3] as const).find((one) => String(one) === text('securityProfile'))
  if (profile === undefined) fault('securityProfile', 'must be 0, 1, 2 or 3')
  const protocol = text('protocols')
  if (protocol !== '' && !isProtocol(protocol)) fault('protocols', `must be one of ${PROTOCOLS.join(', ')}`)
  const validation = VALIDATIONS.find((one) => one === text('validation'))
  if (text('validation') !== '' && !validation) fault('validation', `must be one of ${VALIDATIONS.join(', ')}`)
  const { labels, wrong } = readLabels(form.get('labels') ?? '')
  for (const { line, message } of wrong) fault('labels', `“${line.slice(0, 80)}” ${message}`)
  return {
    name,
    securityProfile: profile ?? 1,
    protocols: protocol === '' ? [] : [protocol],
    validation,
    labels,
    faults,
  }
}

function readLabels(text: string): {
  readonly labels: Labels
  readonly wrong: readonly { readonly line: string; readonly message: string }[]
} {
  const labels = new Map<string, string>()
  const wrong: { line: string; message: string }[] = []
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue
    const colon = line.indexOf(':')
    const [key, value] = [line.slice(0, Math.max(0, colon)).trim(), line.slice(colon + 1).trim()]
    const found = colon < 0 ? { message: 'is not key:value' } : labelFault(key, value)
    if (found) wrong.push({ line, message: found.message })
    else labels.set(key, value)
  }
  return { labels: Object.fromEntries(labels), wrong }
}

export function changeTo(before: ChargePointView, typed: TypedRegistration, disabled: boolean): RequestedChange {
  const removed = Object.keys(before.labels ?? {}).filter((key) => !Object.hasOwn(typed.labels, key))
  return {
    name: typed.name === '' ? null : typed.name,
    ...(typed.securityProfile !== before.securityProfile && { securityProfile: typed.securityProfile }),
    protocols: typed.protocols.length > 0 ? typed.protocols : null,
    validation: typed.validation ?? null,
    labels: { ...Object.fromEntries(removed.map((key) => [key, null])), ...typed.labels },
    disabled,
  }
}

export function formOf({
  name,
  securityProfile,
  protocols,
  validation,
  labels,
  disabled,
}: ChargePointView): URLSearchParams {
  return new URLSearchParams({
    name: name ?? '',
    securityProfile: String(securityProfile),
    protocols: protocols?.length === 1 ? (protocols[0] ?? '') : '',
    validation: validation ?? '',
    labels: labelLines(labels),
    ...(disabled && { disabled: 'yes' }),
  })
}
