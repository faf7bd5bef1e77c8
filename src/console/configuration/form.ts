/** A configuration as the fields of a form, rows of values included; what is wrong is told by the schema of the API. */

import { check } from '../../application/check-schema.ts'
import type { AskedConfiguration } from '../../application/configuration/orders.ts'
import { configurationParams, PutConfigurationSchema } from '../../application/configuration/schemas.ts'
import { refuseFaults } from '../../application/refuse.ts'
import type { Configuration, DesiredKey, DesiredVariable } from '../../domain/configuration/records.ts'
import { MASKED, namesSecret } from '../../domain/device-model/secret-value.ts'
import { variableKey } from '../../domain/device-model/variable-names.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import {
  fieldsOfSelector,
  fieldsOfWindow,
  labelFaults,
  typedSelector,
  typedWindow,
  withoutAbsent,
} from '../selector/selector-form.ts'

const VARIABLE_FIELDS = ['place', 'component', 'variable', 'attribute', 'value'] as const
const KEY_FIELDS = ['key', 'keyValue'] as const
/** Empty ones that stand below those that are filled in. */
const EMPTY_ROWS = 3
const MOST_ROWS = 500

export type Row<Field extends string> = Readonly<Record<Field, string>>
export type VariableRow = Row<(typeof VARIABLE_FIELDS)[number]>
export type KeyRow = Row<(typeof KEY_FIELDS)[number]>

export function variableRows(form: URLSearchParams): readonly VariableRow[] {
  return rowsOf(form, VARIABLE_FIELDS)
}

export function keyRows(form: URLSearchParams): readonly KeyRow[] {
  return rowsOf(form, KEY_FIELDS)
}

/** Those that are filled in, and some empty ones. */
export function withEmpty<Field extends string>(rows: readonly Row<Field>[], fields: readonly Field[]) {
  const filled = rows.filter(isFilled)
  const empty = Object.fromEntries(fields.map((field) => [field, ''])) as Row<Field>
  return [...filled, ...Array.from({ length: EMPTY_ROWS }, () => empty)]
}

export const EMPTY_FIELDS = { variable: VARIABLE_FIELDS, key: KEY_FIELDS }

/** As the fields of a table were sent. */
export function rowsOf<Field extends string>(form: URLSearchParams, fields: readonly Field[]): readonly Row<Field>[] {
  const columns = fields.map((field) => [field, form.getAll(field).slice(0, MOST_ROWS + 1)] as const)
  const count = Math.max(...columns.map(([, values]) => values.length))
  return Array.from(
    { length: count },
    (_, at) => Object.fromEntries(columns.map(([field, values]) => [field, values[at] ?? ''])) as Row<Field>,
  )
}

/** A choice alone fills in nothing. */
function isFilled(row: Readonly<Record<string, string>>): boolean {
  return Object.entries(row).some(([field, text]) => field !== 'attribute' && text.trim() !== '')
}

/** What an address ending in it may be called. */
export function nameFault(name: string): string | undefined {
  const checked = check(configurationParams, { name })
  return checked.ok ? undefined : checked.faults[0]?.message
}

/** What a secret is told from others by. */
export function secretId(one: DesiredVariable | DesiredKey): string {
  return 'key' in one ? `key ${one.key.toLowerCase()}` : variableKey(one)
}

/** @param clear the value of a secret that stands there already, for whoever left its stars as they are */
export function readConfiguration(
  form: URLSearchParams,
  clear: (id: string) => string | undefined,
): AskedConfiguration | Refusal {
  const faults: Fault[] = labelFaults(form).map((fault) => ({ ...fault, code: 'invalid_value' }))
  const clearText = (name: string, one: DesiredVariable | DesiredKey, pointer: string): string => {
    if (one.value !== MASKED || !namesSecret(name)) return one.value
    const known = clear(secretId(one))
    if (known === undefined) {
      faults.push({ pointer, code: 'invalid_value', message: 'must be typed: no such secret is kept yet' })
    }
    return known ?? ''
  }
  const variables = variableRows(form)
    .filter(isFilled)
    .map(({ place, component, variable, attribute, value }, at) => {
      const placed = placeOf(place)
      if (!placed) {
        faults.push({
          pointer: `/variables/${at}/component/evseId`,
          code: 'invalid_value',
          message: 'must be an EVSE such as 1, or EVSE and connector such as 1/2',
        })
      }
      const one = {
        component: { ...instanced(component), ...placed },
        variable: instanced(variable),
        attribute: attribute || 'Actual',
        value,
      }
      return { ...one, value: clearText(one.variable.name, one, `/variables/${at}/value`) }
    })
  const keys16 = keyRows(form)
    .filter(isFilled)
    .map(({ key, keyValue }, at) => {
      const one = { key: key.trim(), value: keyValue }
      return { ...one, value: clearText(one.key, one, `/keys16/${at}/value`) }
    })
  const priority = form.get('priority')?.trim() ?? ''
  const rebootPolicy = form.get('rebootPolicy') || undefined
  const body = withoutAbsent({
    selector: typedSelector(form),
    priority: priority === '' ? undefined : Number(priority),
    variables: variables.length > 0 ? variables : undefined,
    keys16: keys16.length > 0 ? keys16 : undefined,
    rebootPolicy,
    // Hours that are typed for another policy are kept in the form and not sent.
    window: rebootPolicy === 'window' ? typedWindow(form) : undefined,
  })
  const checked = check(PutConfigurationSchema, body)
  if (!checked.ok) faults.push(...checked.faults)
  if (!checked.ok || faults.length > 0) return refuseFaults(faults)
  const { variables: asked = [], ...rest } = checked.value
  return { ...rest, variables: asked.map((each) => ({ ...each, attribute: each.attribute ?? 'Actual' })) }
}

/** What stands in the form before anything was typed. Secrets are stars. */
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
  const { evseId, connectorId } = component
  return [
    ['place', [evseId, connectorId].filter((one) => one !== undefined).join('/')],
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

/** Undefined: neither `1` nor `1/2` nor nothing. */
export function placeOf(
  text: string,
): { readonly evseId?: number | undefined; readonly connectorId?: number | undefined } | undefined {
  if (text.trim() === '') return {}
  const [, evseId, connectorId] = /^\s*(\d{1,9})(?:\/(\d{1,9}))?\s*$/.exec(text) ?? []
  if (evseId === undefined) return undefined
  return { evseId: Number(evseId), ...(connectorId !== undefined && { connectorId: Number(connectorId) }) }
}
