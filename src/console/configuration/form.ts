/** A configuration as the fields of a form, rows of values included; the schema of the API judges it. */

import { check } from '../../application/check-schema.ts'
import type { AskedConfiguration } from '../../application/configuration/orders.ts'
import { configurationParams, PutConfigurationSchema } from '../../application/configuration/schemas.ts'
import type { Configuration, DesiredKey, DesiredVariable } from '../../domain/configuration/records.ts'
import { MASKED, namesSecret, variableKey } from '../../domain/device-model/variable-names.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { asOptions, checkedForm } from '../kit/form.tsx'
import { wordsIn } from '../kit/parts.tsx'
import { filledRows, type RowField } from '../kit/rows.tsx'
import { fieldsOfSelector, fieldsOfWindow, labelFaults, typedSelector, typedWindow } from '../selector/selector-form.ts'

export const VARIABLE_FIELDS = [
  { name: 'place', label: (frame) => wordsIn('configurations', frame).place, size: 4 },
  { name: 'component', label: (frame) => wordsIn('configurations', frame).component },
  { name: 'variable', label: (frame) => wordsIn('configurations', frame).variable },
  {
    name: 'attribute',
    label: (frame) => wordsIn('configurations', frame).attribute,
    options: () => asOptions(['Actual', 'Target', 'MinSet', 'MaxSet']),
  },
  { name: 'value', label: (frame) => wordsIn('configurations', frame).value },
] as const satisfies readonly RowField[]

export const KEY_FIELDS = [
  { name: 'key', label: (frame) => wordsIn('configurations', frame).key },
  { name: 'keyValue', label: (frame) => wordsIn('configurations', frame).value },
] as const satisfies readonly RowField[]

export function nameFault(name: string): string | undefined {
  const checked = check(configurationParams, { name })
  return checked.ok ? undefined : checked.faults[0]?.message
}

export function secretId(one: DesiredVariable | DesiredKey): string {
  return 'key' in one ? `key ${one.key.toLowerCase()}` : variableKey(one)
}

/** @param clear the value of a secret that stands there already, where its stars were left unchanged */
export function readConfiguration(
  form: URLSearchParams,
  clear: (id: string) => string | undefined,
): AskedConfiguration | Refusal {
  const faults: Fault[] = [...labelFaults(form)]
  const clearText = (name: string, one: DesiredVariable | DesiredKey, pointer: string): string => {
    if (one.value !== MASKED || !namesSecret(name)) return one.value
    const known = clear(secretId(one))
    if (known === undefined) {
      faults.push({ pointer, code: 'invalid_value', message: 'must be typed: no such secret is kept yet' })
    }
    return known ?? ''
  }
  const variables = filledRows(form, VARIABLE_FIELDS).map(({ place, component, variable, attribute, value }, at) => {
    const placed = placeOf(place)
    if (!placed) faults.push(wrongPlace(`/variables/${at}/component/evseId`))
    const one = {
      component: { ...instanced(component), ...placed },
      variable: instanced(variable),
      attribute: attribute || 'Actual',
      value,
    }
    return { ...one, value: clearText(one.variable.name, one, `/variables/${at}/value`) }
  })
  const keys16 = filledRows(form, KEY_FIELDS).map(({ key, keyValue }, at) => {
    const one = { key: key.trim(), value: keyValue }
    return { ...one, value: clearText(one.key, one, `/keys16/${at}/value`) }
  })
  const priority = form.get('priority')?.trim() ?? ''
  const rebootPolicy = form.get('rebootPolicy') || undefined
  const body = {
    selector: typedSelector(form),
    priority: priority === '' ? undefined : Number(priority),
    variables: variables.length > 0 ? variables : undefined,
    keys16: keys16.length > 0 ? keys16 : undefined,
    rebootPolicy,
    // Hours that are typed for another policy are kept in the form and not sent.
    window: rebootPolicy === 'window' ? typedWindow(form) : undefined,
  }
  const checked = checkedForm(PutConfigurationSchema, body, faults)
  if ('refused' in checked) return checked
  const { variables: asked = [], ...rest } = checked
  return { ...rest, variables: asked.map((each) => ({ ...each, attribute: each.attribute ?? 'Actual' })) }
}

export function formOf(
  { selector, priority, variables, keys16, rebootPolicy, rebootWindow }: Configuration,
  timeZone: string,
): URLSearchParams {
  return new URLSearchParams([
    ...fieldsOfSelector(selector),
    ...fieldsOfWindow(rebootWindow, timeZone),
    ['priority', String(priority)],
    ['rebootPolicy', rebootPolicy],
    ...variables.flatMap((one) => fieldsOfVariable(one)),
    ...keys16.flatMap(({ key, value, isSecret }: DesiredKey): [string, string][] => [
      ['key', key],
      ['keyValue', isSecret ? MASKED : value],
    ]),
  ])
}

function fieldsOfVariable({ component, variable, attribute, value, isSecret }: DesiredVariable): [string, string][] {
  return [
    ['place', placeText(component)],
    ['component', instancedText(component)],
    ['variable', instancedText(variable)],
    ['attribute', attribute],
    ['value', isSecret ? MASKED : value],
  ]
}

export function instancedText({
  name,
  instance,
}: {
  readonly name: string
  readonly instance?: string | undefined
}): string {
  return instance === undefined ? name : `${name}[${instance}]`
}

/** `Name[instance]` as the API's keys are written. */
export function instanced(text: string): { readonly name: string; readonly instance?: string | undefined } {
  const typed = text.trim()
  const open = typed.indexOf('[')
  if (open < 1 || !typed.endsWith(']')) return { name: typed }
  return { name: typed.slice(0, open), instance: typed.slice(open + 1, -1) }
}

export function placeText({ evseId, connectorId }: FormContext): string {
  return [evseId, connectorId].filter((one) => one !== undefined).join('/')
}

export function wrongPlace(pointer: string): Fault {
  const message = 'must be an EVSE such as 1, or EVSE and connector such as 1/2'
  return { pointer, code: 'invalid_value', message }
}

interface FormContext {
  readonly evseId?: number | undefined
  readonly connectorId?: number | undefined
}

export function placeOf(text: string): FormContext | undefined {
  if (text.trim() === '') return {}
  const [, evseId, connectorId] = /^\s*(\d{1,9})(?:\/(\d{1,9}))?\s*$/.exec(text) ?? []
  if (evseId === undefined) return undefined
  return { evseId: Number(evseId), ...(connectorId !== undefined && { connectorId: Number(connectorId) }) }
}
